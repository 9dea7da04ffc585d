import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseSearchQuery } from '../../src/domain/files/search-query.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storagePathOf, type Scope, type Storage } from '../../src/storage/storage.ts'
import { isLong } from '../helpers/stress-size.ts'
import { codeOf, found, namesIn, path, viewOf } from '../contract/storage/view.ts'

const FOLDERS = isLong ? 2000 : 400
const FILES = 50

const run = promisify(execFile)

describe(`a search of ${FOLDERS * FILES} names`, () => {
  let base: string
  let storage: Storage
  let scope: Scope

  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'filemgr-search-')))
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      const folderPath = join(base, `group ${folder % 40}`, `folder ${folder}`)
      mkdirSync(folderPath, { recursive: true })
      for (let file = 0; file < FILES; file += 1) writeFileSync(join(folderPath, `some file ${file}.txt`), '')
    }
    storage = await openLocalStorage(base)
    scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  })

  afterAll(async () => {
    scope[Symbol.dispose]()
    await storage[Symbol.asyncDispose]()
    rmSync(base, { recursive: true })
  })

  it('finds what find finds, and reports the times of both without judging them', async ({ annotate }) => {
    const namePart = 'file 49.t'
    const command = async () =>
      (await run('find', [base, '-iname', `*${namePart}*`])).stdout.trimEnd().split('\n').length
    const search = async (text: string) => (await found(scope, '/', text)).length
    await command()
    // Users list a folder before they search it.
    await namesIn(scope, '/')
    const ratios: string[] = []
    for (const text of [`"${namePart}"`, `"${namePart}"`, `"${namePart}"`, 'no such name']) {
      const ours = await timed(async () => await search(text))
      const theirs = await timed(command)
      expect([ours.result, theirs.result]).toEqual([text === 'no such name' ? 0 : FOLDERS, FOLDERS])
      ratios.push((ours.took / theirs.took).toFixed(2))
    }
    // Shown by --reporter=verbose.
    await annotate(`searches one after the other, as multiples of find: ${ratios.join(', ')}`)
  })

  it('ends in the middle when it is aborted', async () => {
    const controller = new AbortController()
    const view = { ...viewOf('/'), query: parseSearchQuery('') }
    let count = 0
    const search = async () => {
      for await (const hits of scope.search(path('/'), view, controller.signal)) {
        count += hits.length
        controller.abort()
      }
    }
    expect(await codeOf(search())).toBe('CANCELLED')
    expect(count).toBeLessThan(FOLDERS * FILES)
    expect(await found(scope, '/group 1', 'none')).toEqual([])
  })
})

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; took: number }> {
  const start = performance.now()
  const result = await work()
  return { result, took: performance.now() - start }
}
