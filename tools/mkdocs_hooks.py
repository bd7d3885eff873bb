"""What mkdocs does to the pages of docs/ on their way to the site.

Links to files beside docs/, such as ../SECURITY.md, lead somewhere in a
checkout and on a code host, but have no page on the site. There they become
the path alone.

A page of an earlier version (extra: moved: in mkdocs.yml) leads to its content.
"""

import pathlib
import re

OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)#]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown, **_):
    def told(found):
        text, path = found[1].strip("`"), found[2].rstrip("/")
        return f"`{path}`" if text.rstrip("/") in path else \
            f"{found[1]} (`{path}`)"
    return OUTSIDE.sub(told, markdown)


def on_post_build(config, **_):
    site = pathlib.Path(config["site_dir"])
    for old, new in config["extra"]["moved"].items():
        page, _, anchor = new.partition("#")
        target = page.removesuffix(".md") + ".html"
        if not (site / target).exists():
            raise SystemExit(f"mkdocs.yml: {old} leads to {page}, which is "
                             "not a page")
        if anchor:
            if f'id="{anchor}"' not in (site / target).read_text():
                raise SystemExit(f"mkdocs.yml: {page} has no anchor {anchor}")
            target += f"#{anchor}"
        (site / old.replace(".md", ".html")).write_text(
            f'<!DOCTYPE html><meta http-equiv="refresh" content="0; '
            f'url={target}"><a href="{target}">{target}</a>\n')
