import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Only syntax that an old Node can load, or its users see a stack trace instead of the message below.
const OLDEST_NODE = [22, 22] as const

/** Why filemgr cannot run on this machine, and what to do about it. */
function problemOfMachine(): string | undefined {
  if (process.platform !== 'linux')
    return `filemgr runs on Linux only, this is ${process.platform}; run it in a container (config/deploy/Dockerfile)`
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    return `Node.js ${node} is too old; install Node.js 24 from https://nodejs.org`
  return undefined
}

const problem = problemOfMachine()
if (problem !== undefined) {
  process.stderr.write(`filemgr: ${problem}\n`)
  process.exitCode = 1
} else {
  // Not the default folder in /tmp: another account could create it first and plant code in it.
  nodeModule.enableCompileCache(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'filemgr', 'compiled'))
  // A reader that closes the pipe early ("filemgr users ls | head -1") is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // A daemon goes on serving when its terminal has closed.
  process.stderr.on('error', () => undefined)
  void start()
}

async function start(): Promise<void> {
  const { run } = await import('./program/run.ts')
  process.exitCode = await run(process.argv.slice(2), process)
}
