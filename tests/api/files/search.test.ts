import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../src/domain/errors.ts'
import type { SearchHit } from '../../../src/domain/files/search-query.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { withMethod } from '../../helpers/api/with-method.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const FILES = { 'a/report.txt': 'r', 'a/deep/Report.pdf': 'p', 'a/reports/': '', 'a/other.txt': 'o', 'report.csv': 'm' }

async function hits(client: Client, url: string): Promise<SearchHit[]> {
  const { statusCode, body } = await client.ask('GET', url)
  expect(statusCode, url).toBe(200)
  const lines = body.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as SearchHit)
}

describe('GET /api/search', () => {
  it('sends a line for each hit, with its path in the folder', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann')
    const answer = await ann.ask('GET', '/api/search/a/?query=report')
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toBe(
      '{"dir":false,"path":"deep/Report.pdf"}\n{"dir":false,"path":"report.txt"}\n{"dir":true,"path":"reports"}\n',
    )
    expect((await ann.ask('GET', '/api/search/a?query=report')).body).toBe(answer.body)
    expect(await hits(ann, '/api/search/?query=type:pdf%20case:sensitive%20Rep')).toEqual([
      { dir: false, path: 'a/deep/Report.pdf' },
    ])
  })

  it('finds names in any Unicode form, with or without accents', async () => {
    const decomposed = '테스트 Übersicht.txt'.normalize('NFD')
    const files = { 'n/Température.txt': '', 'n/STRASSE.txt': '', 'n/İstanbul.txt': '', 'n/ıstanbul.txt': '' }
    await using server = await testApp({ files: { ...files, [`n/${decomposed}`]: '', 'n/ΟΔΟΣ.txt': '' } })
    const ann = await server.user('ann')
    const find = async (query: string) =>
      (await hits(ann, `/api/search/n/?query=${encodeURIComponent(query)}`)).map(({ path }) => path)
    for (const query of ['테스트', '테스트'.normalize('NFD'), 'übersicht', 'UBERSICHT', 'case:sensitive Übersicht'])
      expect(await find(query), query).toEqual([decomposed])
    expect(await find('temperature')).toEqual(['Température.txt'])
    expect(await find('straße')).toEqual(['STRASSE.txt'])
    expect(await find('οδος')).toEqual(['ΟΔΟΣ.txt'])
    for (const query of ['istanbul', 'ISTANBUL', 'İSTANBUL', 'ıstanbul'])
      expect(await find(query), query).toEqual(['İstanbul.txt', 'ıstanbul.txt'])
    expect((await ann.ask('GET', '/api/search/n/?query=case:sensitive%20ubersicht')).body).toBe('')
  })

  it('sends size, time and type of each hit on request, those of links by their targets', async () => {
    await using server = await testApp({ files: { 'a/one.txt': 'four', 'a/deep/one.png': '', 'plain/one.mp3': 'abc' } })
    await symlink('one.txt', join(server.root, 'a/one-link'))
    await symlink('nowhere', join(server.root, 'a/one-broken'))
    const ann = await server.user('ann')
    const details = async (): Promise<unknown[]> => {
      const found = (await hits(ann, '/api/search/?query=one&details=true')) as (SearchHit & { modified: string })[]
      expect(found.every(({ modified }) => Math.abs(Date.parse(modified) - Date.now()) < 600_000)).toBe(true)
      return found.map(({ modified: _modified, ...others }) => others)
    }
    const expected = [
      { dir: false, path: 'a/deep/one.png', size: 0, type: 'image' },
      { dir: false, path: 'a/one-broken', size: 7, type: 'invalid_link' },
      { dir: false, path: 'a/one-link', size: 4, type: 'text' },
      { dir: false, path: 'a/one.txt', size: 4, type: 'text' },
      { dir: false, path: 'plain/one.mp3', size: 3, type: 'audio' },
    ]
    expect(await details()).toEqual(expected)
    expect(await details()).toEqual(expected)
    expect(await hits(ann, '/api/search/plain/?query=one')).toEqual([{ dir: false, path: 'one.mp3' }])
  })

  it('finds everything without a query', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann')
    expect(await hits(ann, '/api/search/')).toHaveLength(7)
  })

  it.each([
    '/api/search/a/?query=none',
    '/api/search/none/?query=r',
    '/api/search/report.csv?query=r',
    '/api/search/.x/',
  ])('answers %s with an empty body', async (url) => {
    await using server = await testApp({ files: { ...FILES, '.x/report.txt': 'x' } })
    const ann = await server.user('ann', {}, { hideDotfiles: true })
    const { statusCode, headers, body } = await ann.ask('GET', url)
    expect([statusCode, headers['content-length'], body]).toEqual([200, '0', ''])
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('finds no files that rules deny', async () => {
    await using server = await testApp({ files: { 'secret/report.txt': 's', 'open/report.txt': 'o' } })
    const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
    const ann = await server.user('ann', {}, { rules })
    expect(await hits(ann, '/api/search/?query=r')).toEqual([{ dir: false, path: 'open/report.txt' }])
    expect((await ann.ask('GET', '/api/search/secret/?query=r')).body).toBe('')
  })

  it('finds files of a denied folder that another rule allows', async () => {
    await using server = await testApp({ files: { 'secret/report.txt': 's', 'secret/ok/report.txt': 'o' } })
    const rule = { regex: false, allow: false, path: '/secret', regexp: null }
    const ann = await server.user('ann', {}, { rules: [rule, { ...rule, allow: true, path: '/secret/ok' }] })
    expect((await hits(ann, '/api/search/secret/?query=r')).map(({ path }) => path)).toEqual(['ok/report.txt'])
  })

  it('stays in the scope, and survives links that leave it or form a loop', async () => {
    await using server = await testApp({ files: { 'home/report.txt': 'r', 'outside/report.txt': 'o' } })
    await symlink('../outside', join(server.root, 'home/report-out'))
    await symlink('report-circle', join(server.root, 'home/report-circle'))
    await symlink('report.txt', join(server.root, 'home/report-link'))
    const ann = await server.user('ann', {}, { scope: '/home' })
    expect((await hits(ann, '/api/search/?query=report')).map(({ path }) => path)).toEqual([
      'report-link',
      'report.txt',
    ])
    expect((await ann.ask('GET', '/api/search/report-out/?query=r')).body).toBe('')
    await rm(join(server.root, 'home'), { recursive: true })
    expect((await ann.ask('GET', '/api/search/?query=r')).statusCode).toBe(404)
  })

  it('ends after 10,000 hits, and says by an empty line that there are more', async () => {
    await using server = await testApp()
    const addFile = (index: number) => writeFileSync(join(server.root, `${index}.txt`), '')
    for (let index = 0; index < 10_000; index += 1) addFile(index)
    const ann = await server.user('ann')
    expect(await hits(ann, '/api/search/?query=.txt')).toHaveLength(10_000)
    addFile(10_000)
    const { body } = await ann.ask('GET', '/api/search/?query=.txt')
    expect(body.split('\n').filter((line) => line !== '')).toHaveLength(10_000)
    expect(body.slice(-2)).toBe('\n\n')
  })

  it('stops searching when the client disconnects', async () => {
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    await using files = await tempFolder()
    const disk = await openLocalStorage(files.path)
    const openScope: Storage['openScope'] = async (folder, links) =>
      withMethod(await disk.openScope(folder, links), 'search', (_path, _view, signal) =>
        endless(begun.resolve, stopped.resolve, signal),
      )
    await using server = await testApp({ storage: withMethod(disk, 'openScope', openScope) })
    const { token } = await server.user('ann')
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const client = new AbortController()
    const request = fetch(`${address}/api/search/?query=a`, { headers: { 'x-auth': token }, signal: client.signal })
    await begun.promise
    client.abort()
    await expect(request).rejects.toThrow()
    await stopped.promise
  })
})

/** A search that finds nothing until it is stopped. */
async function* endless(begun: () => void, stopped: () => void, signal?: AbortSignal): AsyncGenerator<SearchHit[]> {
  begun()
  if (signal) await once(signal, 'abort')
  stopped()
  yield fail('CANCELLED', 'this was cancelled')
}
