/** Takes the pictures of the README from a daemon with sample files: `npm run pictures`. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import sharp from 'sharp'
import { repository, startTool } from './run-tool.ts'

const HOUR = 3_600_000
const MEGABYTE = 1_000_000

/** Size and age in hours by path. */
const FILES: Readonly<Record<string, readonly [bytes: number, hours: number]>> = {
  'Documents/Insurance/Policy 2026.pdf': [0.4 * MEGABYTE, 900],
  'Music/Evening walk.flac': [31 * MEGABYTE, 400],
  'Projects/Garden house/Plan.pdf': [2.1 * MEGABYTE, 30],
  'Videos/Summer in Norway.mp4': [48 * MEGABYTE, 70],
  'Budget 2026.xlsx': [0.08 * MEGABYTE, 3],
  'Letter to the school.docx': [0.03 * MEGABYTE, 26],
  'Minutes of the meeting.odt': [0.004 * MEGABYTE, 5],
  'Recipes.pdf': [5.6 * MEGABYTE, 130],
  'Website backup.tar.gz': [22 * MEGABYTE, 52],
  'notes.txt': [0.001 * MEGABYTE, 1],
}

/** Sky, sun and hills of the sample photographs. */
const PHOTOGRAPHS: Readonly<Record<string, readonly [sky: string, haze: string, sun: string, hills: string]>> = {
  'Photos/Alps at dawn.jpg': ['#3b4a7a', '#f2b79b', '#ffe3b0', '#27324f'],
  'Photos/Autumn valley.jpg': ['#86b2d8', '#f7e3bf', '#fff3d1', '#8a4a1f'],
  'Photos/Blue hour.jpg': ['#0e1b3d', '#5577b5', '#dfe9ff', '#0b1430'],
  'Photos/Desert road.jpg': ['#5aa0d0', '#fbe0b5', '#fff7e0', '#b0703a'],
  'Photos/Fjord.jpg': ['#7fa8bd', '#dfeaec', '#ffffff', '#2b4a56'],
  'Photos/Green hills.jpg': ['#8cc6ea', '#eaf6dc', '#fffbe6', '#3f7a3a'],
  'Photos/Harvest moon.jpg': ['#1d1833', '#7a4460', '#ffd9a0', '#120f22'],
  'Photos/Lavender field.jpg': ['#b59bd6', '#f6d9e6', '#fff0d8', '#57407f'],
  'Photos/North coast.jpg': ['#4d6f86', '#c9d6da', '#f4f7f5', '#1f3340'],
  'Photos/Red rocks.jpg': ['#e08a5b', '#fbd3a4', '#fff0cf', '#7a2b1c'],
  'Photos/Snowy ridge.jpg': ['#9fb8cf', '#f3f6f9', '#ffffff', '#6a8198'],
  'Photos/Tea plantation.jpg': ['#a9d3c4', '#f2f4d4', '#fffce8', '#2f6b4a'],
}

interface Shot {
  readonly name: string
  readonly path: string
  /** Visible once the page is complete. */
  readonly shows: string
  readonly viewMode: string
  readonly screen: BrowserContextOptions
}

const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }

const SHOTS: readonly Shot[] = [
  {
    name: 'desk-light',
    path: 'files/',
    shows: 'notes.txt',
    viewMode: 'list',
    screen: { ...DESK, colorScheme: 'light' },
  },
  {
    name: 'desk-dark',
    path: 'files/Photos/',
    shows: 'Fjord.jpg',
    viewMode: 'mosaic gallery',
    screen: { ...DESK, colorScheme: 'dark' },
  },
  {
    name: 'phone',
    path: 'files/',
    shows: 'Recipes.pdf',
    viewMode: 'list',
    screen: { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, colorScheme: 'light' },
  },
]

const folder = await mkdtemp(join(tmpdir(), 'filemgr-pictures-'))
await makeFiles()
const daemon = startTool(
  ['node', 'src/cli/main.ts', 'serve', folder, '--ephemeral', '--port', '0', '--json', '--log', ''],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  await takePictures()
} finally {
  daemon.kill()
  await rm(folder, { recursive: true })
}

async function makeFiles(): Promise<void> {
  for (const [path, [bytes, hours]] of Object.entries(FILES)) await makeFile(path, Buffer.alloc(bytes), hours)
  for (const [index, [path, colours]] of Object.entries(PHOTOGRAPHS).entries()) {
    const photograph = await sharp(Buffer.from(landscape(colours, index)))
      .jpeg({ quality: 90 })
      .toBuffer()
    await makeFile(path, photograph, 10 + index * 50)
  }
}

async function makeFile(path: string, content: Uint8Array, hours: number): Promise<void> {
  const full = join(folder, path)
  await mkdir(dirname(full), { recursive: true })
  await writeFile(full, content)
  const time = new Date(Date.now() - hours * HOUR)
  await utimes(full, time, time)
  for (let parent = dirname(full); parent !== folder; parent = dirname(parent)) await utimes(parent, time, time)
}

/** A sun above three ranges of hills, each darker than the one behind it. */
function landscape([sky, haze, sun, hills]: readonly string[], seed: number): string {
  const ranges = [0.5, 0.62, 0.76].map((level, range) => {
    const points = Array.from({ length: 25 }, (_unused, index) => {
      const wave = Math.sin(index * (0.5 + range * 0.2) + seed * 2.1) + Math.sin(index * 1.3 + seed * (range + 1)) / 2
      return `${index * 50},${Math.round((level + (wave * (3 - range)) / 40) * 800)}`
    })
    return `<polygon points="0,800 ${points.join(' ')} 1200,800" fill="${hills}" opacity="${0.4 + range * 0.3}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="0.7" stop-color="${haze}"/></linearGradient>
<rect width="1200" height="800" fill="url(#sky)"/>
<circle cx="${300 + ((seed * 310) % 600)}" cy="${180 + ((seed * 70) % 160)}" r="60" fill="${sun}"/>
${ranges.join('\n')}</svg>`
}

async function takePictures(): Promise<void> {
  if (daemon.stdout === null) throw new Error('the daemon has no output')
  const [line] = (await once(createInterface(daemon.stdout), 'line')) as [string]
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  const executablePath = execFileSync('sh', [join(repository, 'tools/chromium'), '--whole'], {
    encoding: 'utf8',
  }).trim()
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
  await mkdir(join(repository, 'docs/pictures'), { recursive: true })
  for (const shot of SHOTS) {
    const data = { id: 1, viewMode: shot.viewMode }
    const body = JSON.stringify({ what: 'user', which: ['viewMode'], data })
    await fetch(`${url}api/users/1`, { method: 'PUT', headers: { 'X-Auth': token }, body })
    await takePicture(browser, url, token, shot)
  }
  await browser.close()
}

async function takePicture(browser: Browser, url: string, token: string, shot: Shot): Promise<void> {
  const { name, path, shows, screen } = shot
  const localStorage = [{ name: 'filemgr:token:', value: token }]
  const cookies = [{ name: 'auth', value: token, url }]
  const context = await browser.newContext({
    ...screen,
    baseURL: url,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] },
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto(path)
  await page.locator(`[data-entry=${JSON.stringify(shows)}]`).waitFor()
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toBuffer()
  await writeFile(join(repository, `docs/pictures/${name}.webp`), picture)
  console.log(`docs/pictures/${name}.webp: ${Math.round(picture.length / 1000)} kB`)
  await context.close()
}
