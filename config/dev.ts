/** A daemon that restarts on each change, with throw-away data, and the page with hot reload in front of it. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import { exitCode, repository, startTool } from './run-tool.ts'

const DAEMON_PORT = '8080'
const PAGE_PORT = 5173
const USERNAME = 'admin'
const PASSWORD = 'only for development'

const folder = await mkdtemp(join(tmpdir(), 'filemgr-dev-'))
const files = join(folder, 'files')
await mkdir(files)
await cp(join(repository, 'src'), join(files, 'src'), { recursive: true })
await cp(join(repository, 'README.md'), join(files, 'README.md'))

const daemon = startTool([
  ...(['node', '--watch', '--watch-preserve-output', 'src/cli/main.ts', 'serve', files] as const),
  ...['--data', join(folder, 'data'), '--port', DAEMON_PORT, '--username', USERNAME, '--password', PASSWORD],
])
const address = `http://127.0.0.1:${DAEMON_PORT}`
const page = await createServer({
  configFile: join(repository, 'config/vite.config.ts'),
  server: { port: PAGE_PORT, strictPort: true, proxy: { '/api': { target: address, ws: true }, '/health': address } },
})
await page.listen()
console.log(`Page: http://localhost:${PAGE_PORT}/ (user "${USERNAME}", password "${PASSWORD}")`)
console.log(`Daemon: ${address}/, data and files in ${folder}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => daemon.kill('SIGTERM'))
process.exitCode = await exitCode(daemon)
await page.close()
await rm(folder, { recursive: true })
