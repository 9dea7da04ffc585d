import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HookList } from '../../../src/domain/automation/hook.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

const MARK = '--'

describe('hooks at the command line', () => {
  it('are added as separate words, listed, switched off and removed', async () => {
    await using store = await testStore()
    const add = ['hooks', 'add', 'after_upload', '--timeout', '5s', MARK, '/usr/local/bin/notify', '--quiet', 'a b']
    expect(await store.run(add)).toMatchObject({ code: 0, stdout: containing('--enable-exec') })
    const { running, hooks } = await store.json<HookList>(['hooks', 'ls', '--event', 'after_upload'])
    const [hook] = hooks
    expect([running, hook]).toMatchObject([
      false,
      { event: 'after_upload', line: "/usr/local/bin/notify --quiet 'a b'", enabled: true, timeout: 5 },
    ])
    const id = hook?.id ?? ''
    expect((await store.json<HookList>(['hooks', 'disable', id])).hooks).toMatchObject([{ id, enabled: false }])
    expect((await store.json<HookList>(['hooks', 'enable', id])).hooks).toMatchObject([{ id, enabled: true }])
    expect(await store.run(['hooks', 'rm', id])).toMatchObject({ code: 2, stdout: '', stderr: containing('--yes') })
    expect(await store.json(['hooks', 'rm', id, '--yes'])).toEqual({ removed: [id] })
    expect((await store.json<HookList>(['hooks', 'ls'])).hooks).toEqual([])
  })

  it('get new limits and another order, and keep their other values', async () => {
    await using store = await testStore()
    for (const word of ['one', 'two', 'three']) await store.run(['hooks', 'add', 'before_save', MARK, word])
    const list = async () => (await store.json<HookList>(['hooks', 'ls'])).hooks
    const id = (await list()).at(-1)?.id ?? ''
    const limits = ['--timeout', '9s', '--max-output', '64KB', '--on-failure', 'ignore']
    await store.json(['hooks', 'set', id, ...limits])
    await store.json(['hooks', 'set', id, '--place', '0'])
    expect(await list()).toMatchObject([
      { id, line: 'three', timeout: 9, outputLimit: 65_536, onFailure: 'ignore', enabled: true },
      { line: 'one', timeout: 60, outputLimit: 1_048_576, onFailure: 'refuse' },
      { line: 'two' },
    ])
    expect((await store.run(['hooks', 'ls'])).stdout).toMatch(/9s +64KiB +ignore +three/)
    expect(await store.run(['hooks', 'set', id])).toMatchObject({ code: 2, stderr: containing('--timeout') })
    expect(await store.run(['hooks', 'set', id, '--place', '-1'])).toMatchObject({ code: 2 })
    expect(await store.run(['hooks', 'set', id, '--max-output', '9TB'])).toMatchObject({ code: 2 })
  })

  it('accept the commands of File Browser', async () => {
    await using store = await testStore()
    expect(await store.run(['cmds', 'add', 'before_copy', 'echo $FILE &'])).toMatchObject({ code: 0 })
    for (const word of ['one', 'two', 'three']) await store.run(['cmds', 'add', 'after_save', word])
    const { hooks } = await store.json<HookList>(['cmds', 'ls'])
    expect(hooks.find(({ event }) => event === 'before_copy')).toMatchObject({ line: 'echo $FILE &', waits: false })
    const words = ['rm', 'after_save', '0', '1']
    expect(await store.run(['hooks', ...words])).toMatchObject({ code: 2, stdout: '', stderr: containing('--yes') })
    expect(await store.run(['cmds', ...words])).toMatchObject({ code: 0, stderr: '' })
    const { hooks: left } = await store.json<HookList>(['cmds', 'ls', '-e', 'after_save'])
    expect(left.map(({ line }) => line)).toEqual(['three'])
  })

  it('are tested, with their exit code and output', async () => {
    await using store = await testStore()
    const add = ['hooks', 'add', 'before_save', MARK, 'ls', '-d', '$DESTINATION', '/nowhere']
    const [id = ''] = (await store.run(add.toSpliced(2, 0, '--quiet'))).stdout.split('\n')
    const answer = await store.run(['hooks', 'test', id])
    expect(answer).toMatchObject({ code: 0, stdout: containing('exit code 2') })
    expect(answer.stdout).toContain('/nowhere')
  })

  it('are shown as running if a flag of the daemon enables them', async () => {
    await using store = await testStore()
    const running = async () => (await store.json<HookList>(['hooks', 'ls'])).running
    expect(await running()).toBe(false)
    await using daemon = await startTestDaemon({ data: store.data, root: store.root, args: ['--enable-exec'] })
    expect(await running()).toBe(true)
    expect((await store.run(['hooks', 'add', 'after_save', 'true'])).stdout).not.toContain('--enable-exec')
    const { hooks } = await store.json<HookList>(['hooks', 'ls'])
    expect(await store.run(['hooks', 'test', hooks[0]?.id ?? ''])).toMatchObject({ code: 0, stdout: 'exit code 0\n' })
    await daemon.stop()
    expect(await running()).toBe(false)
  })
})

describe('an invalid hooks command', () => {
  let store: TestStore
  beforeAll(async () => (store = await testStore()))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    [['add', 'after_upload', 'echo $FILE | mail x'], 2, 'script file'],
    [['add', 'after_upload', MARK, 'sh', '-c', 'id'], 2, 'script file'],
    [['add', 'after_supper', 'id'], 2, 'there is no event'],
    [['add', 'after_save', '--timeout', '2h', 'id'], 2, '--timeout'],
    [['rm', 'ffffffff'], 3, 'no hook ffffffff'],
    [['rm', 'after_save', '0'], 3, 'no hook after_save 0'],
    [['test', 'ffffffff'], 3, 'no hook ffffffff'],
    [['enable', 'ffffffff'], 3, 'no hook ffffffff'],
  ])('%j is refused with exit code %d', async (args, code, message) => {
    const before = await store.saved()
    expect(await store.run(['hooks', ...args])).toMatchObject({ code, stdout: '', stderr: containing(message) })
    expect(await store.saved()).toBe(before)
  })
})
