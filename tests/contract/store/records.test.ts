import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryRecords } from '../../../src/store/records/records.ts'
import type { Records } from '../../../src/store/store.ts'
import { temporaryFolder } from './folder.ts'
import { openRecords, type Sample } from './record-sample.ts'

const onDisk = async () => openRecords(join(await temporaryFolder(), 'records'))
const inMemory = async (): Promise<Records<Sample>> => memoryRecords<Sample>()

describe.each([
  ['in files', onDisk],
  ['in memory', inMemory],
])('records %s', (_, begin) => {
  it('are empty at first, and a missing one can be removed', async () => {
    const records = await begin()
    await records.remove('a')
    expect(await records.list()).toEqual([])
  })

  it('are kept by their id, and the last write counts', async () => {
    const records = await begin()
    await records.put({ id: 'a', value: 1 })
    await records.put({ id: 'b', value: 2 })
    await records.put({ id: 'a', value: 3 })
    expect((await records.list()).toSorted((a, b) => a.value - b.value)).toEqual([
      { id: 'b', value: 2 },
      { id: 'a', value: 3 },
    ])
    await records.remove('b', 'c')
    expect(await records.list()).toEqual([{ id: 'a', value: 3 }])
  })

  it('apply concurrent requests in the order of the requests', async () => {
    const records = await begin()
    const puts = Array.from({ length: 50 }, async (_, value) => {
      await records.put({ id: 'a', value })
    })
    await Promise.all([...puts, records.put({ id: 'b', value: 1 }), records.remove('b')])
    expect(await records.list()).toEqual([{ id: 'a', value: 49 }])
  })
})

describe('records in files', () => {
  it('cannot be read by other accounts', async () => {
    const folder = join(await temporaryFolder(), 'records')
    await openRecords(folder).put({ id: 'a', value: 1 })
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'a.json'))).mode & 0o777).toBe(0o600)
  })

  it('ignore files that are cut off, invalid, misnamed or no records', async () => {
    const folder = join(await temporaryFolder(), 'records')
    const records = openRecords(folder)
    await records.put({ id: 'a', value: 1 })
    const others = {
      'b.json': '{"id":"b","val',
      'c.json': '{"id":"c","value":"1"}',
      'd.json': '{"id":"../d","value":1}',
      'e.json': '{"id":"f","value":1}',
      'a.json.tmp': '{"id":"a","value":9}',
      note: 'x',
    }
    for (const [name, content] of Object.entries(others)) await writeFile(join(folder, name), content)
    await mkdir(join(folder, 'g'))
    expect(await records.list()).toEqual([{ id: 'a', value: 1 }])
  })

  it('report an error when they cannot be written', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'records'), 'in the way')
    const records = openRecords(join(folder, 'records'))
    await expect(records.put({ id: 'a', value: 1 })).rejects.toThrow(/saved/)
  })

  it('remove leftovers of a killed writer before the first save, and nothing else', async () => {
    const folder = join(await temporaryFolder(), 'records')
    await openRecords(folder).put({ id: 'a', value: 1 })
    const others = ['b.json.tmp', 'c.json', 'notes.txt', 'notes.tmp']
    for (const name of others) await writeFile(join(folder, name), 'not ours')
    const records = openRecords(folder)
    expect(await records.list()).toEqual([{ id: 'a', value: 1 }])
    await Promise.all(['d', 'e', 'f'].map(async (id) => await records.put({ id, value: 2 })))
    const expected = ['a.json', 'c.json', 'd.json', 'e.json', 'f.json', 'notes.tmp', 'notes.txt']
    expect((await readdir(folder)).toSorted()).toEqual(expected)
  })

  it('that are damaged or of another version are kept aside, and logged once', async () => {
    const folder = join(await temporaryFolder(), 'records')
    await mkdir(folder)
    const damaged = { 'a.json': '{"id":"a"', 'b.json': '{"id":"b","value":"new"}', 'c.json': '{"id":"d","value":1}' }
    for (const [name, text] of Object.entries(damaged)) await writeFile(join(folder, name), text)
    const lines: string[] = []
    const log = { info: () => undefined, warn: () => undefined, error: (line: string) => void lines.push(line) }
    const records = openRecords(folder, { log, unreadable: 'not readable' })
    await records.put({ id: 'e', value: 1 })
    for (let reading = 0; reading < 2; reading += 1) expect(await records.list()).toEqual([{ id: 'e', value: 1 }])
    expect((await readdir(folder)).toSorted()).toEqual([
      ...['a.json.unreadable', 'b.json.unreadable', 'c.json.unreadable', 'e.json'],
    ])
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/[abc]\.json\.unreadable: not readable/)
  })
})
