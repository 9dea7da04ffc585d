import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/domain/access/rule.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing, matching } from '../../helpers/texts.ts'

const path = (text: string, allow = false): Rule => ({ regex: false, allow, path: text, regexp: null })

describe('rules', () => {
  it('are added at a position, moved and removed', async () => {
    await using store = await testStore()
    const rules = async () => (await store.json<Rule[]>(['rules', 'ls'])).map((rule) => rule.path)
    for (const name of ['/a', '/b', '/c']) expect((await store.run(['rules', 'add', name])).code).toBe(0)
    await store.run(['rules', 'add', '/first', '--allow', '--at', '0'])
    expect(await rules()).toEqual(['/first', '/a', '/b', '/c'])
    await store.run(['rules', 'move', '3', '1'])
    expect(await rules()).toEqual(['/first', '/c', '/a', '/b'])
    expect(await store.run(['rules', 'rm', '1', '4'])).toMatchObject({ code: 3, stdout: '' })
    expect(await store.run(['rules', 'rm', '1', '2'])).toMatchObject({ code: 0, stdout: matching(/^POSITION +RULE/) })
    expect(await store.json(['rules', 'ls'])).toEqual([path('/first', true), path('/b')])
  })

  it('of a user are logged under the name of the user', async () => {
    await using store = await testStore()
    await store.run(['rules', 'add', '/a'])
    await store.run(['rules', 'add', '/a', '--allow', '--user', 'admin'])
    const { stdout } = await store.run(['logs', '--audit'])
    expect(stdout).toMatch(/ operator .*rules\.add \/a \[.*\n.* operator .*rules\.add admin \[.*\n$/)
  })

  it('accept the commands of File Browser', async () => {
    await using store = await testStore()
    await store.run(['rules', 'add', '\\.key$', '-r', '-u', 'admin'])
    await store.run(['rules', 'add', '-a', '/ok', '-i', '1'])
    expect(await store.json(['rules', 'ls', '-u', 'admin'])).toEqual([
      { regex: true, allow: false, path: '', regexp: { raw: '\\.key$' } },
      path('/ok', true),
    ])
    expect(await store.run(['rules', 'rm', '0', '1', '--index', '0', '-i', '1'])).toMatchObject({ code: 0 })
    expect(await store.json(['rules', 'ls', '--user', 'admin'])).toEqual([])
  })

  it('show what they would hide before they are saved', async () => {
    await using store = await testStore({ 'keys/id.key': 'k', 'keys/read.me': 'r', 'other.key': 'k' })
    const shown = await store.json(['rules', 'test', '\\.key$', '--regex', '--user', 'admin'])
    expect(shown).toEqual({ paths: ['/keys/id.key', '/other.key'], count: 2, looked: 4, complete: true })
    expect(await store.json(['rules', 'ls'])).toEqual([])
  })

  it('take effect at once in a running daemon', async () => {
    await using store = await storeWithToken({ 'secret/x': 'x' })
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const status = async () =>
      (await fetch(`${daemon.url}api/resources/secret/x`, { headers: { 'X-Auth': store.token } })).status
    expect(await status()).toBe(200)
    await store.run(['rules', 'add', '/secret', '--deny'])
    await expect.poll(status).toBe(403)
  })
})

describe('an invalid rules command', () => {
  let store: TestStore
  beforeAll(async () => (store = await testStore()))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    [['add', '(?=a)', '--regex'], 2, 'cannot be used'],
    [['add', '[', '--regex'], 2, 'cannot be used'],
    [['add', 'secret'], 2, 'use /secret'],
    [['add', '/x', '--allow', '--deny'], 2, 'either --allow or --deny'],
    [['add', '/x', '--at', '7'], 2, 'there is no position 7'],
    [['rm', 'one'], 2, 'must be a whole number'],
    [['rm', '0'], 3, 'there is no rule 0'],
    [['move', '0', '1'], 3, 'there is no rule 0'],
    [['ls', '--user', 'nobody'], 3, 'nobody'],
  ])('%j is refused with exit code %d', async (args, code, message) => {
    const before = await store.saved()
    expect(await store.run(['rules', ...args])).toMatchObject({ code, stdout: '', stderr: containing(message) })
    expect(await store.saved()).toBe(before)
  })
})

describe('why', () => {
  it('names the rule that denies access, with exit code 0', async () => {
    await using store = await testStore({ 'secret/x': 'x' })
    await store.run(['rules', 'add', '/secret'])
    expect(await store.run(['why', 'admin', 'delete', '/secret/x'])).toMatchObject({
      code: 0,
      stdout: 'admin may not delete /secret/x:\n  rule 0 for all users (/secret) denies /secret/x\n',
    })
    expect(await store.json(['why', 'admin', 'download', '/'])).toMatchObject({ allowed: true, rule: null })
  })

  let store: TestStore
  beforeAll(async () => (store = await testStore()))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    [['nobody', 'delete', '/'], 3, 'nobody'],
    [['admin', 'delite', '/'], 2, 'did you mean delete?'],
    [['admin', 'delete', '/../x'], 2, '..'],
  ])('refuses %j with exit code %d', async (args, code, message) => {
    expect(await store.run(['why', ...args])).toMatchObject({ code, stdout: '', stderr: containing(message) })
  })
})
