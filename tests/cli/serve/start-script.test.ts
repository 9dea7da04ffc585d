import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../../src/platform/processes/processes.ts'

const repository = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** A file in each folder that the build depends on. */
const SOURCES = ['src/a.ts', 'ui/a.css', 'tools/a.ts', 'config/a.json', 'docs/README.md']

/** Stand-ins for npm, node and filemgr, which log their calls: a real installation would take a minute. */
const STAND_INS = {
  'stand-ins/npm': `echo "npm $*" >>"$LOG"
[ -z "$NPM_FAILS" ] || { echo 'npm error network down' >&2; exit 1; }
mkdir -p node_modules/.bin
touch node_modules/.bin/vite; chmod +x node_modules/.bin/vite`,
  'stand-ins/node': `[ "$1" = -e ] && exit
echo "node $(basename "$1")" >>"$LOG"; mkdir -p dist; touch dist/.built-all`,
  'bin/filemgr': `echo "filemgr $* in $(pwd -P)" >>"$LOG"`,
}

/** Notes its signal and ends with a status of its own. */
const WAITING = `echo "waiting $$" >>"$LOG"
trap 'echo "stopped" >>"$LOG"; exit 7' TERM INT
while :; do sleep 0.1; done`

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on, and ends with the exit code of the daemon', async (signal) => {
    await using clone = await emptyClone({ 'bin/filemgr': WAITING })
    const { code, calls } = await clone.interrupted(signal)
    expect(calls.slice(2)).toEqual([expect.stringMatching(/^waiting/), 'stopped'])
    expect(code).toBe(7)
  })

  it.each(['SIGHUP', 'SIGKILL'] as const)('leaves no daemon behind when npm ends by %s', async (signal) => {
    await using clone = await emptyClone({ 'bin/filemgr': WAITING })
    await clone.interrupted(signal)
    await expect.poll(async () => (await clone.calls()).at(-1)).toBe('stopped')
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('a %s while it installs ends the installation, too', async (signal) => {
    await using clone = await emptyClone({ 'stand-ins/npm': WAITING })
    await clone.interrupted(signal)
    await expect.poll(async () => (await clone.calls()).at(-1)).toBe('stopped')
    expect(await clone.calls()).toHaveLength(2)
  })

  it('installs, builds and serves in an empty clone', async () => {
    await using clone = await emptyClone()
    const { calls, stderr } = await clone.start(['.'])
    expect(calls).toEqual([
      expect.stringMatching(/^npm .*\bci\b.*--include=dev/),
      'node build.ts',
      `filemgr serve . in ${clone.folder}`,
    ])
    expect(stderr.split('\n')).toEqual([expect.stringContaining('installing'), expect.stringContaining('building'), ''])
  })

  it('neither installs nor builds again when nothing changed, and prints nothing', async () => {
    await using clone = await emptyClone()
    await clone.start(['.'])
    const calls = [`filemgr serve . --port 0 in ${clone.folder}`]
    expect(await clone.start(['.', '--port', '0'])).toEqual({ calls, stderr: '' })
  })

  it('resolves "." to the folder in which npm was called', async () => {
    await using clone = await emptyClone()
    const caller = join(clone.folder, 'a folder')
    await mkdir(caller)
    const { calls } = await clone.start(['.'], { INIT_CWD: caller })
    expect(calls.at(-1)).toBe(`filemgr serve . in ${caller}`)
  })

  it('installs again when the lock file changed', async () => {
    await using clone = await emptyClone()
    await clone.start(['.'])
    await clone.write('package-lock.json', '{ "changed": true }')
    const { calls } = await clone.start(['.'])
    expect(calls[0]).toMatch(/^npm /)
  })

  it('installs again when the development packages were left out', async () => {
    await using clone = await emptyClone()
    await clone.start(['.'])
    await rm(join(clone.folder, 'node_modules/.bin/vite'))
    const { calls } = await clone.start(['.'])
    expect(calls[0]).toMatch(/^npm /)
  })

  it.each(SOURCES)('builds again when %s changed', async (file) => {
    await using clone = await emptyClone()
    await clone.start(['.'])
    await clone.write(file, 'changed')
    // The times of files move in ticks of the kernel: within one tick of the build nothing would look newer.
    const later = Date.now() / 1000 + 1
    await utimes(join(clone.folder, file), later, later)
    const { calls } = await clone.start(['.'])
    expect(calls).toEqual(['node build.ts', expect.stringMatching(/^filemgr/)])
  })

  it('serves nothing and shows the reason when the packages cannot be installed', async () => {
    await using clone = await emptyClone()
    const stderr = expect.stringMatching(/network down\nfilemgr: installing packages failed/) as string
    await expect(clone.start(['.'], { NPM_FAILS: 'yes' })).rejects.toMatchObject({ code: 1, stderr })
  })
})

interface Clone extends AsyncDisposable {
  readonly folder: string
  start(args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<{ calls: string[]; stderr: string }>
  /** Runs it by npm, and sends npm a signal once a program waits. */
  interrupted(signal: NodeJS.Signals): Promise<{ code: number | null; calls: string[] }>
  /** What the stand-ins have noted. */
  calls(): Promise<string[]>
  write(file: string, text: string): Promise<void>
}

const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}

/** @param others stand-ins instead of the usual ones */
async function emptyClone(others: Readonly<Record<string, string>> = {}): Promise<Clone> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'filemgr-start-')))
  const log = join(folder, 'calls.log')
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  for (const file of [...SOURCES, 'README.md', 'package-lock.json']) await write(file, '')
  await write('package.json', JSON.stringify({ name: 'clone', scripts: { start: scripts.start } }))
  for (const [file, text] of Object.entries({ ...STAND_INS, ...others })) {
    await write(file, `#!/bin/sh\n${text}\n`)
    await chmod(join(folder, file), 0o755)
  }
  for (const file of ['start', 'prepare']) await cp(join(repository, 'tools', file), join(folder, 'tools', file))
  const environment = { LOG: log, NPM_FAILS: '', INIT_CWD: folder }
  const calls = async () => (await readFile(log, 'utf8').catch(() => '')).trimEnd().split('\n')
  return {
    folder,
    write,
    calls,
    async interrupted(signal) {
      const npm = await realpath((await findProgram('npm', process.env['PATH'])) ?? '')
      // The scripts find the stand-in for npm first.
      const env = { ...environment, HOME: folder, PATH: `${join(folder, 'stand-ins')}:${process.env['PATH'] ?? ''}` }
      const running = spawn(process.execPath, [npm, 'start', '--silent'], { cwd: folder, env, stdio: 'ignore' })
      await expect.poll(async () => (await calls()).at(-1)).toMatch(/^waiting/)
      running.kill(signal)
      const [code] = (await once(running, 'close')) as [number | null]
      return { code, calls: await calls() }
    },
    async start(args, more = {}) {
      await writeFile(log, '')
      const path = `${join(folder, 'stand-ins')}:/usr/bin:/bin`
      const env = { PATH: path, ...environment, ...more }
      const { stderr } = await run('sh', ['tools/start', ...args], { cwd: folder, env })
      return { calls: await calls(), stderr }
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }),
  }
}
