import { describe, expect, it } from 'vitest'
import { HeavyMemory } from '../../../src/platform/limits/heavy-memory.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const MAX = 1024 * 1024 * 1024
const FILES = { 'docs/a.txt': 'alpha', 'docs/b.txt': 'beta' }
const ARCHIVES = ['zip', 'tar', 'targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz', 'tarbr', 'tarzst']

describe('without memory for heavy work', () => {
  it.each([
    'api/resources/docs',
    'api/search/?query=a',
    'api/resources/docs/a.txt?checksum=sha256',
    ...ARCHIVES.map((algo) => `api/raw/docs?algo=${algo}`),
  ])('%s gets 503 and the time of the next try, and works again later', async (path) => {
    const memory = new HeavyMemory({ max: MAX, timeout: 20 })
    await using server = await testApp({ files: FILES, memory })
    const ann = await server.user('ann', { download: true })
    const held = await memory.acquire(MAX)
    const refused = await ann.ask('GET', `/${path}`)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    held[Symbol.dispose]()
    expect((await ann.ask('GET', `/${path}`)).statusCode).toBe(200)
  })

  it('a search is refused even after a wait that is longer than clients wait for their first byte', async () => {
    const memory = new HeavyMemory({ max: MAX, timeout: 5500 })
    await using server = await testApp({ files: FILES, memory })
    const ann = await server.user('ann')
    using _held = await memory.acquire(MAX)
    expect((await ann.ask('GET', '/api/search/?query=a')).statusCode).toBe(503)
  })

  it('a compressed archive whose compressor has no room is refused before its first byte', async () => {
    const memory = new HeavyMemory({ max: MAX, timeout: 20 })
    await using server = await testApp({ files: FILES, memory })
    const ann = await server.user('ann', { download: true })
    // Starts the thread that reads the files.
    expect((await ann.ask('GET', '/api/raw/docs?algo=tar')).statusCode).toBe(200)
    while (memory.tryAcquire(1024 * 1024) !== undefined) continue
    expect((await ann.ask('GET', '/api/raw/docs?algo=targz')).statusCode).toBe(503)
  })
})
