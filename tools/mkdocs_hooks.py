"""What mkdocs does to the pages of docs/ on their way to the site.

Links to files beside docs/, such as ../SECURITY.md, lead somewhere in a
checkout and on a code host, but have no page on the site. There they become
the path alone.
"""

import re

OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)#]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown, **_):
    def told(found):
        text, path = found[1].strip("`"), found[2].rstrip("/")
        return f"`{path}`" if text.rstrip("/") in path else \
            f"{found[1]} (`{path}`)"
    return OUTSIDE.sub(told, markdown)
