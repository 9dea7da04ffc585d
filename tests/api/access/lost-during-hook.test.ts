import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { heldBy } from '../../helpers/api/held-by.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const MAY = { create: true, rename: true, modify: true, delete: true, download: true }

/** A hook may take minutes between the checks of an operation and its effect. */
it.each([
  ['upload', 'POST', '/api/resources/new.txt', 'content'],
  ['upload', 'POST', '/api/resources/folder/', ''],
  ['save', 'PUT', '/api/resources/old.txt', 'content'],
  ['rename', 'PATCH', '/api/resources/old.txt?action=rename&destination=%2Fmoved.txt', ''],
  ['copy', 'PATCH', '/api/resources/old.txt?action=copy&destination=%2Fcopied.txt', ''],
  ['delete', 'DELETE', '/api/resources/old.txt', ''],
  ['delete', 'DELETE', '/api/resources/old.txt?trash=true', ''],
] as const)('before %s: %s %s has no effect if the right is lost meanwhile', async (event, method, url, payload) => {
  await using held = await heldBy(event)
  await using server = await testApp({ files: { 'old.txt': 'old' }, ...held.options })
  const bob = await server.user('bob', MAY)
  const answer = bob.ask(method, url, payload === '' ? {} : { payload })
  await held.begun()
  const { users } = server.context.services
  await users.update(OPERATOR, users.find('bob').id, { perm: NO_PERMISSIONS })
  await held.goOn()
  expect((await answer).statusCode).toBe(403)
  const names = await readdir(server.root)
  expect(names.filter((name) => name !== '.filemgr-trash')).toEqual(['old.txt'])
  expect(await readFile(join(server.root, 'old.txt'), 'utf8')).toBe('old')
})

it.each([
  ['rename', 'PATCH', '/api/resources/folder?action=rename&destination=%2Fmoved'],
  ['delete', 'DELETE', '/api/resources/folder'],
  ['delete', 'DELETE', '/api/resources/folder?trash=true'],
] as const)(
  'before %s: %s %s has no effect if a rule denies something inside meanwhile',
  async (event, method, url) => {
    await using held = await heldBy(event)
    await using server = await testApp({ files: { 'folder/secret.txt': 'secret' }, ...held.options })
    const bob = await server.user('bob', MAY)
    const answer = bob.ask(method, url)
    await held.begun()
    const rule = { regex: false, allow: false, path: '/folder/secret.txt', regexp: null }
    await server.context.services.rules.add(OPERATOR, rule)
    await held.goOn()
    expect((await answer).statusCode).toBe(403)
    expect(await readFile(join(server.root, 'folder/secret.txt'), 'utf8')).toBe('secret')
  },
)

describe.each([
  ['rename', 'PATCH', '?action=rename&destination=%2Fmoved'],
  ['copy', 'PATCH', '?action=copy&destination=%2Fcopied'],
  ['delete', 'DELETE', ''],
  ['delete', 'DELETE', '?trash=true'],
] as const)('before %s: %s %s', (event, method, query) => {
  it.each([
    ['a folder', async (path: string) => await writeFile(join(path, 'secret.txt'), 'secret')],
    [
      'a file that a folder replaces',
      async (path: string) => {
        await rm(path)
        await mkdir(path)
        await writeFile(join(path, 'secret.txt'), 'secret')
      },
    ],
  ] as const)('does not take along what a rule denies and others put meanwhile into %s', async (what, put) => {
    await using held = await heldBy(event)
    const files = { [what === 'a folder' ? 'top/other.txt' : 'top']: 'other' }
    await using server = await testApp({ files, ...held.options })
    const rule = { regex: false, allow: false, path: '/top/secret.txt', regexp: null }
    await server.context.services.rules.add(OPERATOR, rule)
    const bob = await server.user('bob', MAY)
    const answer = bob.ask(method, `/api/resources/top${query}`)
    await held.begun()
    await put(join(server.root, 'top'))
    await held.goOn()
    expect((await answer).statusCode).toBe(403)
    expect(await readFile(join(server.root, 'top/secret.txt'), 'utf8')).toBe('secret')
    expect((await readdir(server.root)).filter((name) => !name.startsWith('.'))).toEqual(['top'])
  })
})
