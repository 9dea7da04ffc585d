import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATOR } from '../../src/domain/accounts/actor.ts'
import { ALL_PERMISSIONS } from '../../src/domain/access/permissions.ts'
import { FILES_ROOT } from '../../src/domain/server/root.ts'
import { testApp } from '../helpers/api/test-app.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const CHANGES = 30
/** What was done, and what is not there, not permitted or away. */
const ANSWERS = [200, 403, 404, 503]

it('a place that is taken and given again, and whose root is removed, while its user works in it', async () => {
  await using disk = await tempFolder({ 'taken/old.txt': 'old' })
  await using server = await testApp({ files: { 'own.txt': 'own', 'kept/k.txt': 'k' } })
  const { roots, users } = server.context.services
  const { id: root } = await roots.create(OPERATOR, { name: 'Photos', location: disk.path })
  const place = (name: string) => ({
    root: name === 'taken' ? root : FILES_ROOT,
    scope: `/${name}`,
    name,
    rules: [],
    permissionRules: [],
  })
  const anna = await server.user('anna', { ...ALL_PERMISSIONS, admin: false })
  const { id } = users.find('anna')
  // With the first one, "/" lists several places all the time.
  const give = async (...names: string[]) => await users.update(OPERATOR, id, { places: names.map(place) })
  await give('kept', 'taken')

  const written: string[] = []
  const unexpected: string[] = []
  let isOver = false
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: string) => {
    const { statusCode, body } = await anna.ask(method, path, payload === undefined ? {} : { payload })
    if (!ANSWERS.includes(statusCode)) unexpected.push(`${method} ${path}: ${statusCode} ${body}`)
    return statusCode
  }
  const work = async (worker: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const name = `${worker}-${turn}.txt`
      if ((await ask('POST', `/api/resources/taken/${name}`, name)) === 200) written.push(name)
      await ask('GET', '/api/resources/taken/')
      await ask('GET', '/api/search/?query=old')
      await ask('PATCH', `/api/resources/taken/old.txt?action=copy&destination=/kept/${name}`)
      expect(await ask('GET', '/api/raw/Home/own.txt')).toBe(200)
    }
  }
  const working = Promise.all([0, 1, 2].map(async (worker) => await work(worker)))
  for (let turn = 0; turn < CHANGES; turn += 1) {
    await give('kept')
    await ask('GET', '/api/resources/')
    await give('kept', 'taken')
    await ask('GET', '/api/resources/taken/')
  }
  await roots.remove(OPERATOR, root)
  await ask('GET', '/api/resources/')
  isOver = true
  await working

  expect(unexpected).toEqual([])
  // What was acknowledged is in the place, and nothing has got into another folder.
  for (const name of written) expect(await readFile(join(disk.path, 'taken', name), 'utf8')).toBe(name)
  expect((await readdir(server.root)).toSorted()).toEqual(['kept', 'own.txt'])
  expect((await readdir(join(disk.path, 'taken'))).filter((name) => !written.includes(name))).toEqual(['old.txt'])
})
