import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Nothing here may be newer than an old Node can load, or its users see a stack trace in place of the sentence below.
const OLDEST_NODE = [22, 22] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `filemgr: Node.js ${process.versions.node} is too old; install Node.js 24 from https://nodejs.org\n`,
  )
  process.exitCode = 1
} else {
  // Not the default place in the shared temporary folder: whoever makes it first there could slip us code.
  nodeModule.enableCompileCache(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'filemgr', 'compiled'))
  // A reader that has seen enough ("filemgr users ls | head -1") is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // There is nobody left to tell, and whoever is served meanwhile stays served.
  process.stderr.on('error', () => undefined)
  void start()
}

async function start(): Promise<void> {
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2), process)
}
