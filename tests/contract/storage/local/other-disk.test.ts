import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import { deviceOf, deviceOfPath } from '../../../../src/storage/local/system/gated-calls.ts'
import { at, hold, HOLD_FOLDER, HOLD_TARGET } from '../../../../src/storage/local/system/handle.ts'
import type { TransferMode } from '../../../../src/storage/storage.ts'
import { TwoDisks } from '../two-disks.ts'
import { codeOf, path } from '../view.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }
const KILLED = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
const RUNNING = new StagedNames({ installation: 'aaaaaaaa', run: 'cccccccc' })

it('what a link opens on another disk passes the gate of that disk', async () => {
  await using disks = await TwoDisks.open()
  using folder = await hold(disks.at('.'), HOLD_FOLDER)
  expect(deviceOf(folder.fd)).toBe(deviceOfPath(folder.realPath))
  using target = await hold(at(folder, 'disk'), HOLD_TARGET)
  expect(deviceOf(target.fd)).toBe(deviceOfPath(target.realPath))
})

describe('a move to another disk', () => {
  it.each([
    ['a new folder', false],
    ['an existing one', true],
  ])('into %s leaves files that were created or saved meanwhile, and reports them', async (_, isThere) => {
    await using disks = await TwoDisks.open()
    if (isThere) mkdirSync(disks.at('disk/to/sub'), { recursive: true })
    const work = disks.when(3, () => {
      writeFileSync(disks.at('from/made'), 'made')
      writeFileSync(disks.at('from/a'), 'saved')
      mkdirSync(disks.at('from/sub/new'))
    })
    await disks.scope.move(path('/from'), path('/disk/to'), OVER, work)
    expect(disks.files('disk/to')).toEqual(['a', 'b', 'sub/c'])
    expect(disks.files('from')).toEqual(['a', 'made'])
    expect(readFileSync(disks.at('from/a'), 'utf8')).toBe('saved')
    expect(existsSync(disks.at('from/sub/new'))).toBe(true)
    expect(disks.leftOut.toSorted()).toEqual(['a', 'made', 'sub/new'])
  })

  it('leaves a file that was replaced by one of the same size and time', async () => {
    await using disks = await TwoDisks.open()
    utimesSync(disks.at('from/a'), 1000, 2000)
    const work = disks.when(3, () => {
      writeFileSync(disks.at('new'), 'new')
      utimesSync(disks.at('new'), 1000, 2000)
      execFileSync('mv', [disks.at('new'), disks.at('from/a')])
    })
    await disks.scope.move(path('/from'), path('/disk/to'), FREE, work)
    expect(readFileSync(disks.at('from/a'), 'utf8')).toBe('new')
    expect(disks.leftOut).toEqual(['a'])
  })

  it('leaves a saved file whose hidden file was copied before it got its name', async () => {
    await using disks = await TwoDisks.open({ staged: RUNNING })
    const hidden = disks.at(`from/${KILLED.next()}`)
    writeFileSync(hidden, 'saved')
    const save = () => execFileSync('mv', [hidden, disks.at('from/a')])
    await disks.scope.move(path('/from'), path('/disk/to'), FREE, disks.when(4, save))
    expect(readFileSync(disks.at('from/a'), 'utf8')).toBe('saved')
    expect(disks.leftOut).toEqual(['a'])
  })

  it('moves the trash and hidden files of killed runs too', async () => {
    await using disks = await TwoDisks.open({ staged: RUNNING })
    const own = [KILLED.next(), '.filemgr-trash/1/aaaabbbbccccdddd/content']
    mkdirSync(disks.at('from/.filemgr-trash/1/aaaabbbbccccdddd'), { recursive: true })
    for (const name of own) writeFileSync(disks.at(`from/${name}`), 'x')
    await disks.scope.move(path('/from'), path('/disk/to'), FREE)
    expect(disks.files('disk/to')).toEqual([...own, 'a', 'b', 'sub/c'])
    expect(existsSync(disks.at('from'))).toBe(false)
  })

  it('leaves what cannot be copied, and moves the rest', async () => {
    await using disks = await TwoDisks.open()
    execFileSync('mkfifo', [disks.at('from/sub/pipe')])
    await disks.scope.move(
      path('/from'),
      path('/disk/to'),
      FREE,
      disks.when(0, () => undefined),
    )
    expect(readdirSync(disks.at('from'), { recursive: true })).toEqual(['sub', 'sub/pipe'])
    expect(disks.leftOut).toEqual(['sub/pipe'])
  })

  it.each(['from', 'from/a'])('that is asked for several times at once happens once: %s', async (name) => {
    await using disks = await TwoDisks.open()
    const before = disks.files('.').length
    const move = async (to: string) => await codeOf(disks.scope.move(path(`/${name}`), path(`/disk/${to}`), FREE))
    const codes = await Promise.all([move('x'), move('y'), move('z')])
    expect(codes.filter((code) => code === 'no error')).toHaveLength(1)
    for (const code of codes) expect(['no error', 'CONFLICT', 'NOT_FOUND']).toContain(code)
    expect(disks.files('.')).toHaveLength(before)
  })

  it('moves both names of one file', async () => {
    await using disks = await TwoDisks.open()
    execFileSync('ln', [disks.at('from/a'), disks.at('from/twin')])
    await disks.scope.move(path('/from'), path('/disk/to'), FREE)
    expect(disks.files('disk/to')).toEqual(['a', 'b', 'sub/c', 'twin'])
    expect(existsSync(disks.at('from'))).toBe(false)
  })

  it('has copied all or nothing when it is cancelled', async () => {
    await using disks = await TwoDisks.open()
    const abort = new AbortController()
    const work = { ...disks.when(1, () => abort.abort()), signal: abort.signal }
    expect(await codeOf(disks.scope.move(path('/from'), path('/disk/to'), FREE, work))).toBe('CANCELLED')
    expect(disks.files('from')).toEqual(['a', 'b', 'sub/c'])
    expect(readdirSync(disks.at('disk/'))).toEqual([])
  })

  it('is cancelled within a large file', async () => {
    await using disks = await TwoDisks.open()
    writeFileSync(disks.at('large'), Buffer.alloc(6 * 1024 * 1024, 'x'))
    const abort = new AbortController()
    let copied = 0
    const advance = (bytes: number) => {
      copied += bytes
      abort.abort()
    }
    const moved = disks.scope.move(path('/large'), path('/disk/large'), FREE, { advance, signal: abort.signal })
    expect(await codeOf(moved)).toBe('CANCELLED')
    expect(copied).toBeLessThan(6 * 1024 * 1024)
  })
})

describe('the trash, for files on another disk', () => {
  it('moves nothing at once, but copies files there and back', async () => {
    await using disks = await TwoDisks.open()
    await disks.scope.move(path('/from'), path('/disk/from'), FREE)
    expect(await disks.scope.trash.putAtOnce('1', path('/disk/from'), 1000)).toBeUndefined()
    expect(disks.files('disk/from')).toEqual(['a', 'b', 'sub/c'])
    expect(readdirSync(disks.at('.filemgr-trash/1'))).toEqual([])
    const entry = await disks.scope.trash.put('1', path('/disk/from'), 1000)
    expect(readdirSync(disks.at('disk/'))).toEqual([])
    expect(await disks.scope.trash.restoreAtOnce('1', entry.id, path('/disk/back'), 0o750)).toBe(false)
    expect([readdirSync(disks.at('disk/')), await disks.scope.trash.list('1')]).toEqual([[], [entry]])
    await disks.scope.trash.restore('1', entry.id, path('/disk/back'), { folderMode: 0o750 })
    expect(disks.files('disk/back')).toEqual(['a', 'b', 'sub/c'])
    expect(await disks.scope.trash.list('1')).toEqual([])
  })

  it('leaves files that were saved meanwhile, and reports them', async () => {
    await using disks = await TwoDisks.open()
    await disks.scope.move(path('/from'), path('/disk/from'), FREE)
    const work = disks.when(3, () => writeFileSync(disks.at('disk/from/b'), 'saved'))
    const entry = await disks.scope.trash.put('1', path('/disk/from'), 1000, work)
    expect(disks.leftOut).toEqual(['b'])
    expect(disks.files('disk/from')).toEqual(['b'])
    expect(await disks.scope.trash.list('1')).toEqual([entry])
  })

  it('lists the whole copy, or keeps the original, when it is cancelled', async () => {
    await using disks = await TwoDisks.open()
    await disks.scope.move(path('/from'), path('/disk/from'), FREE)
    const abort = new AbortController()
    const work = { ...disks.when(3, () => abort.abort()), signal: abort.signal }
    expect(await codeOf(disks.scope.trash.put('1', path('/disk/from'), 1000, work))).toBe('CANCELLED')
    const listed = await disks.scope.trash.list('1')
    const whole = listed.map(({ id }) => disks.files(`.filemgr-trash/1/${id}/content`))
    expect([...whole, disks.files('disk/from')]).toContainEqual(['a', 'b', 'sub/c'])
    rmSync(disks.at('.filemgr-trash'), { recursive: true })
  })
})
