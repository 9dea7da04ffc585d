import { existsSync, readFileSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ForeignDecoders, type ForeignKind } from '../../../../src/platform/images/foreign-decoders.ts'
import { HeavyMemory } from '../../../../src/platform/limits/heavy-memory.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { foreignProgram, type ForeignProgram } from '../../../helpers/api/foreign-program.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'
import { eventually } from '../../../helpers/patience.ts'

async function decode(decoders: ForeignDecoders, kind: ForeignKind = 'mov', signal?: AbortSignal): Promise<string> {
  await using folder = await tempFolder({ '-i evil.mp4': 'the bytes of a video' })
  await using file = await open(folder.at('-i evil.mp4'))
  const bytes = await decoders.decode({ kind, descriptor: file.fd, signal })
  return Buffer.from(bytes).toString('latin1')
}

async function pidOf(program: ForeignProgram): Promise<number> {
  return await eventually(async () => {
    const [pid] = await program.starts()
    if (pid === undefined) throw new Error('it was not started yet')
    return pid
  })
}

/** A process that ended stays in /proc as a zombie until its parent collects it. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')

describe('a program that decodes videos', () => {
  it('gets the open file as its input, but neither its name nor our environment', async () => {
    vi.stubEnv('FILEMGR_PASSWORD', 'secret')
    await using program = await foreignProgram('cat; pwd; printf "%s\\n" "$@"; env')
    const output = await decode(program.decoders)
    expect(output).toMatch(/^the bytes of a video\/\n/)
    expect(output).toContain('\n-i\nfile:/proc/self/fd/0\n')
    for (const secret of ['evil', 'secret', 'HOME=']) expect(output).not.toContain(secret)
  })

  it('is told the container and may open only files, because playlists name addresses and other files', async () => {
    await using program = await foreignProgram('printf "%s " "$@"')
    const output = await decode(program.decoders, 'matroska')
    expect(output).toContain(' -protocol_whitelist file -format_whitelist matroska ')
    expect(output).toMatch(/ -f matroska -i file:/)
    expect(await decode(program.decoders)).toContain(' -enable_drefs 0 -use_absolute_path 0 ')
  })

  it('is limited in memory and processor time, cannot write files, and runs at low priority', async () => {
    await using program = await foreignProgram(
      'ulimit -d; ulimit -t; ulimit -f; ulimit -c; nice; (echo x > $here/f); true',
    )
    expect(await decode(program.decoders)).toMatch(/^524288\n20\n0\n0\n1\d\n/)
    expect(existsSync(`${program.folder}/f`) && readFileSync(`${program.folder}/f`, 'utf8')).toBeFalsy()
  })

  it('takes its memory while it runs', async () => {
    const memory = new HeavyMemory({ max: 1, timeout: 20 })
    await using program = await foreignProgram('echo picture', { memory })
    const held = await memory.acquire(1)
    await expect(decode(program.decoders)).rejects.toMatchObject({ code: 'BUSY' })
    expect(await program.starts()).toEqual([])
    held[Symbol.dispose]()
    expect(await decode(program.decoders)).toBe('picture\n')
    expect(memory.tryAcquire(1)).toBeDefined()
  })

  it.each([
    ['fails', 'echo half; exit 1'],
    ['is killed', 'kill -SEGV $$'],
    ['writes without end', 'cat /dev/zero'],
    ['writes errors without end', 'cat /dev/zero >&2'],
  ])('that %s gives no picture', async (_, script) => {
    await using program = await foreignProgram(script)
    await expect(decode(program.decoders)).rejects.toEqual(errorLike('UNSUPPORTED'))
  })

  it('is killed with all its children when it takes too long', async () => {
    await using program = await foreignProgram('sleep 1000 & mkdir "$here/start-$!"; wait', { time: 3000 })
    await expect(decode(program.decoders)).rejects.toEqual(
      errorLike('UNSUPPORTED', 'the file takes too long to decode'),
    )
    const pids = await program.starts()
    expect(pids).toHaveLength(2)
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]))
  })

  it('is killed when nobody waits for it any more', async () => {
    await using program = await foreignProgram('exec sleep 1000')
    const abort = new AbortController()
    const decoding = decode(program.decoders, 'mov', abort.signal)
    const pid = await pidOf(program)
    abort.abort()
    await expect(decoding).rejects.toEqual(errorLike('CANCELLED'))
    await eventually(() => expect(isRunning(pid)).toBe(false))
  })

  it('need not be installed', async () => {
    const decoders = new ForeignDecoders({ path: '' })
    expect(await decoders.canDecode('mov')).toBe(false)
    await expect(decode(decoders)).rejects.toEqual(errorLike('NOT_IMPLEMENTED'))
  })

  it('may have been removed since it was found', async () => {
    await using program = await foreignProgram('exec "$here/none"')
    await expect(decode(program.decoders)).rejects.toEqual(errorLike('NOT_IMPLEMENTED'))
  })
})

describe('a program that decodes the HEIF pictures of telephones', () => {
  it('writes into a folder of its own, which is removed afterwards', async () => {
    await using program = await foreignProgram('cat > "$4"; mkdir -p "$here$4"', { name: 'heif-convert' })
    expect(await decode(program.decoders, 'heif')).toBe('the bytes of a video')
    const [written = ''] = (await readdir(program.folder, { recursive: true })).filter((name) =>
      name.endsWith('out.jpg'),
    )
    expect(written).not.toBe('')
    expect(existsSync(dirname(`/${written}`))).toBe(false)
    expect(await program.decoders.canDecode('mov')).toBe(false)
  })

  it('that writes nothing gives no picture', async () => {
    await using program = await foreignProgram('exit 0', { name: 'heif-dec' })
    await expect(decode(program.decoders, 'heif')).rejects.toEqual(errorLike('UNSUPPORTED'))
  })
})
