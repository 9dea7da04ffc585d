/** Runs a daemon that restarts on each change, with throw-away data, and the page with hot reload. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import { exitCode, repository, startTool } from './run-tool.ts'

const PROGRAM = 'src/cli/main.ts'
const DAEMON_PORT = '8080'
const PAGE_PORT = 5173
const USERNAME = 'admin'
const PASSWORD = 'only for development'

const folder = await mkdtemp(join(tmpdir(), 'filemgr-dev-'))
const files = join(folder, 'files')
await mkdir(files)
await cp(join(repository, 'src'), join(files, 'src'), { recursive: true })
await cp(join(repository, 'README.md'), join(files, 'README.md'))

const data = ['--data', join(folder, 'data')] as const
const account = ['--root', files, '--username', USERNAME, '--password', PASSWORD] as const
await exitCode(startTool(['node', PROGRAM, ...data, 'init', ...account], { stdio: ['ignore', 'ignore', 'inherit'] }))
const daemon = startTool([
  ...(['node', '--watch', '--watch-preserve-output', PROGRAM, ...data, 'serve', '--port', DAEMON_PORT] as const),
])
// `on`, not `once`: on Ctrl+C both the terminal and npm send a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => daemon.kill('SIGTERM'))
const address = `http://127.0.0.1:${DAEMON_PORT}`
const page = await createServer({
  configFile: join(repository, 'config/vite.config.ts'),
  server: {
    port: PAGE_PORT,
    strictPort: true,
    proxy: { '/api': { target: address, ws: true }, '/health': address, '/static/custom.css': address },
  },
})
await page.listen()
console.log(`Page: http://localhost:${PAGE_PORT}/ (user "${USERNAME}", password "${PASSWORD}")`)
console.log(`Daemon: ${address}/, data and files in ${folder}`)

process.exitCode = await exitCode(daemon)
await page.close()
await rm(folder, { recursive: true })
