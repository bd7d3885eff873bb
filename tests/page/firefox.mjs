// firefox.mjs FIREFOX PUPPETEER FILE: opens a page in Firefox through WebDriver
// BiDi, sends events and prints what the page shows as JSON.
import { pathToFileURL } from 'node:url';

const [firefox, puppeteer, file] = process.argv.slice(2);
const { launch } = (await import(pathToFileURL(puppeteer))).default;
const browser = await launch({
  browser: 'firefox', executablePath: firefox, headless: true, timeout: 120000,
});
const seen = { messages: [] };
try {
  const page = await browser.newPage();
  page.on('console', (message) => seen.messages.push(message.text()));
  page.on('pageerror', (error) => seen.messages.push(String(error)));
  await page.setViewport({ width: 1200, height: 900 });
  await page.goto(pathToFileURL(file) + '#scope');
  await page.waitForSelector('body[data-ready]');

  const panel = '#panel-scope ';
  const names = () => page.$$eval(panel + 'tbody td:first-child',
    (cells) => cells.map((cell) => cell.textContent));
  const until = async (what) => {
    for (let i = 0; i < 100 && !await what(); i++) {
      await new Promise((done) => setTimeout(done, 50));
    }
  };

  seen.names = await names();
  const { x, y, width } = await (await page.$(panel + 'canvas')).boundingBox();
  await page.mouse.move(x + 0.75 * width, y + 55);
  seen.tooltip = await page.$eval('.tooltip', (element) => element.innerText);
  await page.mouse.click(x + 0.8 * width, y + 33);
  seen.path = await page.$$eval(panel + '.path button', (all) => all.map((b) => b.textContent));
  seen.zoomed = await names();
  await page.focus(panel + '.search input');
  await page.keyboard.type('norm');
  const result = () => page.$eval(panel + 'output', (element) => element.textContent);
  await until(result);
  seen.search = await result();
  seen.pixel = await page.$eval(panel + 'canvas', (canvas) => [...canvas.getContext('2d')
    .getImageData(canvas.width * 0.95, 33 * canvas.width / canvas.clientWidth, 1, 1).data]);
  seen.tabs = {};
  for (const id of ['op', 'code', 'graph', 'memory', 'steps', 'kernels', 'diff']) {
    await page.click('#tab-' + id);
    await until(() => page.$eval('#panel-' + id, (element) => !element.hidden));
    await until(() => page.$eval('#panel-' + id,
      (element) => element.querySelector('tbody tr, .node')));
    seen.tabs[id] = await page.$eval('#panel-' + id,
      (element) => element.querySelectorAll('tbody tr, .node').length);
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
