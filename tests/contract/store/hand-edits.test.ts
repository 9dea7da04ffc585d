import { readFile, unlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { addUser } from './samples.ts'
import { dataFolder } from './opened.ts'
import { eventually } from '../../helpers/patience.ts'

const signUpOn = (text: string) => text.replace('"signup": false', '"signup": true')
const misspelt = (text: string) => text.replace('"signup"', '"sign-up"')

describe('the store of a daemon', () => {
  it('applies a valid edit by hand, and logs it', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await data.edit(signUpOn)
    await eventually(() => expect(store.snapshot().settings.signup).toBe(true))
    expect(data.logged).toEqual(['store.json was edited by hand; the new content is in use.'])
  })

  it('bases its next change on an edit by hand, even before it notices the edit', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await data.edit(signUpOn)
    await store.update(addUser)
    expect((await data.open()).store.snapshot()).toMatchObject({ settings: { signup: true }, nextUserId: 3 })
  })

  it('keeps the last valid state while an edit is invalid, and names the field', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    const before = store.snapshot()
    await data.edit(misspelt)
    await eventually(() => expect(data.logged).toHaveLength(1))
    expect(data.logged[0]).toContain('settings/sign-up is not a known field')
    expect(store.snapshot()).toBe(before)
  })

  it('never overwrites an invalid edit', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await data.edit(misspelt)
    const edited = await readFile(data.path)
    await expect(store.update(addUser)).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(await readFile(data.path)).toEqual(edited)
  })

  it('continues once an invalid edit is repaired', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await data.edit((text) => text.replace('"users":', 'users:'))
    await eventually(() => expect(data.logged[0]).toMatch(/line \d+, column \d+: this is not JSON/))
    await data.edit((text) => text.replace('users:', '"users":'))
    await eventually(() => expect(data.logged).toContain('store.json is valid again.'))
    await expect(store.update(addUser)).resolves.toBe(2)
  })

  it('answers STORE_INVALID while its file is missing, and keeps its snapshot', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await unlink(data.path)
    await eventually(() => expect(data.logged).toHaveLength(1))
    await expect(store.update(addUser)).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(store.snapshot().users).toHaveLength(1)
  })

  it('never quotes the file in logs or errors, as it holds keys and hashes', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    const { tokenKey } = store.snapshot().secrets
    await data.edit((text) => text.replace(`"${tokenKey}"`, tokenKey))
    const error: unknown = await store.update(addUser).catch((thrown: unknown) => thrown)
    await eventually(() => expect(data.logged).toHaveLength(1))
    expect(`${String(error)} ${data.logged[0] ?? ''}`).not.toContain(tokenKey.slice(0, 6))
  })
})
