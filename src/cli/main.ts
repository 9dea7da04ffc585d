import nodeModule from 'node:module'
import { join } from 'node:path'

// This file uses only syntax that old Node versions can load, so that their users see the message below.
const MIN_NODE = [22, 22] as const

/** Why filemgr cannot run on this machine, and what to do about it. */
function problemOfMachine(): string | undefined {
  if (process.platform !== 'linux')
    return `filemgr runs on Linux only, this is ${process.platform}; run it in a container (docs/deploy/Dockerfile)`
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]))
    return `Node.js ${node} is too old; install Node.js 24 from https://nodejs.org`
  return undefined
}

// A daemon keeps serving when its terminal closes, and an error that cannot be printed still has its exit code.
process.stderr.on('error', () => undefined)
const problem = problemOfMachine()
if (problem !== undefined) {
  process.stderr.write(`filemgr: ${problem}\n`)
  process.exitCode = 1
} else {
  const { HOME: home, XDG_CACHE_HOME: caches = home && join(home, '.cache') } = process.env
  // Not Node's default in /tmp: another account could create that folder first and plant code in it.
  if (caches) nodeModule.enableCompileCache(join(caches, 'filemgr', 'compiled'))
  void start()
}

async function start(): Promise<void> {
  const [{ run }, { standardOutput }, { givenWords }] = await Promise.all([
    import('./line/run.ts'),
    import('./terminal/standard-output.ts'),
    import('./terminal/given-words.ts'),
  ])
  const terminal = {
    // Opened only when a command reads it.
    get stdin() {
      return process.stdin
    },
    stdout: standardOutput(),
    stderr: process.stderr,
    env: process.env,
    cwd: () => process.cwd(),
    endIn: (milliseconds: number) => void setTimeout(end, milliseconds).unref(),
  }
  process.exitCode = await run(givenWords(process.argv), terminal)
}

/** As a second signal does. Not `process.exit`, which waits for the threads that hang. */
function end(): void {
  process.removeAllListeners('SIGTERM')
  process.kill(process.pid, 'SIGTERM')
}
