import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { programEnvironment } from '../../../../src/platform/processes/processes.ts'
import { runProcess, type ProcessRequest } from '../../../../src/platform/processes/process-runner.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'
import { eventually } from '../../../helpers/patience.ts'

const LIMITS = { env: programEnvironment(), timeout: 60_000, outputLimit: 1024 * 1024 }
const script = (text: string, more: Partial<ProcessRequest> = {}) =>
  runProcess({ argv: ['sh', '-c', text], ...LIMITS, ...more })

const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && !/\nState:\s+Z/.test(statusOf(pid))
const statusOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '\nState: Z'
  }
}

describe('a program that is run', () => {
  it('gets its arguments unchanged, input, environment and folder, and returns its output', async () => {
    await using folder = await tempFolder({ 'seen.txt': '' })
    const { stdout, stderr, exitCode, interrupted } = await runProcess({
      argv: ['sh', '-c', 'cat; echo "$1 $NAME"; ls; echo trouble >&2; exit 3', 'sh', '$HOME; `id` "x'],
      ...LIMITS,
      env: programEnvironment({ NAME: 'ann' }),
      cwd: folder.path,
      stdin: 'from us\n',
    })
    expect(stdout).toBe('from us\n$HOME; `id` "x ann\nseen.txt\n')
    expect([stderr, exitCode, interrupted]).toEqual(['trouble\n', 3, undefined])
  })

  it('sees nothing of our environment but language, time zone and the folders for files', async () => {
    vi.stubEnv('FILEMGR_PASSWORD', 'secret')
    vi.stubEnv('TZ', 'Europe/Lisbon')
    const { stdout } = await runProcess({ argv: ['env'], ...LIMITS, env: programEnvironment() })
    expect(stdout).not.toContain('secret')
    expect(stdout).toContain('TZ=Europe/Lisbon')
    expect(stdout).toMatch(/^PATH=\/usr\/local\/sbin:/m)
  })

  it('may leave its input unread', async () => {
    expect(await script('exit 0', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 })
  })

  it('hands its output over as it comes, and waits for the consumer', async () => {
    const taken: string[] = []
    let busy = 0
    const { stdout } = await script('head -c 300000 /dev/zero; echo end', {
      onOutput: async (part, source) => {
        expect((busy += 1)).toBe(1)
        await wait(1)
        busy -= 1
        taken.push(`${source} ${Buffer.from(part).toString().replaceAll('\0', '')}`)
      },
    })
    expect(stdout).toBe('')
    expect(taken.at(-1)).toBe('stdout end\n')
  })
})

describe('merged outputs', () => {
  const merged = async (text: string, more: Partial<ProcessRequest> = {}) =>
    await script(text, { merged: true, ...more })

  it('come in the order in which the program wrote, piece by piece', async () => {
    const { stdout, stderr } = await merged(
      'for i in $(seq 300); do echo out $i; echo err $i >&2; done; printf a; printf b >&2; printf c; printf d >/dev/stderr',
    )
    const lines = Array.from({ length: 300 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`).join('')
    expect([stdout, stderr]).toEqual([`${lines}abcd`, ''])
  })

  it('wait for the consumer, and end with the output of child processes', async () => {
    const taken: string[] = []
    const { stdout } = await merged('head -c 300000 /dev/zero; (sleep 0.2; echo end >&2)', {
      onOutput: async (part, source) => {
        await wait(1)
        taken.push(`${source} ${Buffer.from(part).toString().replaceAll('\0', '')}`)
      },
    })
    expect([stdout, taken.at(-1)]).toEqual(['', 'stdout end\n'])
  })

  it('are counted together, and cut at the limit', async () => {
    const result = await merged('yes & yes >&2', { outputLimit: 100_000 })
    expect([result.interrupted, result.stdout.length]).toEqual(['output', 100_000])
  })

  it('leave no descriptor, file or folder behind, even if the program does not exist', async () => {
    await using folder = await tempFolder({ 'tmp/': '' })
    vi.stubEnv('TMPDIR', folder.at('tmp'))
    const open = () => readdirSync('/proc/self/fd').length
    await merged('true')
    const before = open()
    for (let i = 0; i < 5; i += 1) {
      await merged('echo a; echo b >&2')
      await expect(runProcess({ argv: ['no-such-program'], ...LIMITS, merged: true })).rejects.toEqual(
        errorLike('NOT_FOUND'),
      )
    }
    await eventually(() => expect(open()).toBeLessThanOrEqual(before))
    expect(readdirSync(folder.at('tmp'))).toEqual([])
  })

  it('fail if no temporary file can be made', async () => {
    await using folder = await tempFolder()
    vi.stubEnv('TMPDIR', folder.at('missing'))
    await expect(merged('true')).rejects.toEqual(errorLike('INTERNAL'))
  })
})

describe('a program that does not end', () => {
  it('is killed after its timeout with all its children, even if they ignore SIGTERM', async () => {
    await using folder = await tempFolder()
    const text = `trap '' TERM; sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 1; done' & while :; do sleep 1; done`
    const result = await script(text, { cwd: folder.path, timeout: 500 })
    expect(result).toMatchObject({ interrupted: 'timeout', signal: 'SIGKILL', exitCode: null })
    const child = Number(readFileSync(folder.at('child'), 'utf8'))
    await eventually(() => expect(isRunning(child)).toBe(false))
  })

  it('is ended when it is cancelled, and never started if it was cancelled before', async () => {
    const abort = new AbortController()
    const running = script('echo ready; sleep 1000', { signal: abort.signal, onOutput: () => abort.abort() })
    expect(await running).toMatchObject({ interrupted: 'abort', signal: 'SIGTERM' })
    await expect(script('touch made', { signal: abort.signal })).rejects.toEqual(errorLike('CANCELLED'))
  })

  it.each([true, false])(
    'is ended when it is cancelled while it is being started (outputs merged: %s)',
    async (merged) => {
      const [abort, interrupt] = [new AbortController(), new AbortController()]
      // No shell: it may lose a signal that comes while it executes another program.
      const sleep = async (more: Partial<ProcessRequest>) =>
        await runProcess({ argv: ['sleep', '1000'], ...LIMITS, merged, ...more })
      const cancelled = sleep({ signal: abort.signal })
      const interrupted = sleep({ interrupt: interrupt.signal })
      abort.abort()
      interrupt.abort()
      expect(await cancelled).toMatchObject({ interrupted: 'abort' })
      expect(await interrupted).toMatchObject({ signal: 'SIGINT' })
    },
  )

  it('is ended when it writes too much, and only the allowed part is kept', async () => {
    const result = await script('yes', { outputLimit: 100_000 })
    expect([result.interrupted, result.stdout.length]).toEqual(['output', 100_000])
  })

  it('is ended when the consumer of the output fails', async () => {
    const onOutput = () => {
      throw new Error('the socket is gone')
    }
    await expect(script('yes', { onOutput })).rejects.toThrow('the socket is gone')
  })
})

it('children that a program leaves running are killed after it ended', async () => {
  const { stdout, exitCode } = await script('sleep 1000 & echo $!')
  expect(exitCode).toBe(0)
  await eventually(() => expect(isRunning(Number(stdout))).toBe(false))
})

it('a child that left the process group does not keep the caller waiting', async () => {
  const { stdout, interrupted } = await script('setsid sh -c "echo \\$\\$; exec sleep 1000" & sleep 0.2')
  process.kill(Number(stdout), 'SIGKILL')
  expect(interrupted).toBeUndefined()
})

describe('a program that cannot be run', () => {
  it('is reported as missing, not executable, or with a NUL in an argument', async () => {
    await using folder = await tempFolder({ 'plain.txt': 'no program' })
    const run = async (...argv: [string, ...string[]]) => await runProcess({ argv, ...LIMITS })
    await expect(run('no-such-program')).rejects.toEqual(errorLike('NOT_FOUND'))
    await expect(run(folder.at('plain.txt'))).rejects.toEqual(errorLike('FORBIDDEN'))
    await expect(run('echo', 'a\0b')).rejects.toEqual(errorLike('INVALID_INPUT'))
  })

  it('is looked for in the fixed folders only', async () => {
    await using folder = await tempFolder({ mine: '#!/bin/sh\necho mine\n' })
    vi.stubEnv('PATH', folder.path)
    await expect(runProcess({ argv: ['mine'], ...LIMITS, env: programEnvironment() })).rejects.toEqual(
      errorLike('NOT_FOUND'),
    )
  })
})
