import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const MAY = { create: true, rename: true, modify: true, delete: true, download: true }
const ASYNC = { headers: { prefer: 'respond-async' } }
/** Bytes: sparse, so that it costs no room; hours of work to read. */
const HUGE = 200_000_000_000

/** A job may wait for hours behind others of its user. */
it.each([
  ['PATCH', '?action=copy&destination=%2Fcopied'],
  ['DELETE', ''],
] as const)(
  '%s %s: a job takes nothing along that a rule denies and others put there while it waited',
  async (method, query) => {
    await using server = await testApp({ files: { huge: '', 'folder/other.txt': 'other' } })
    await truncate(join(server.root, 'huge'), HUGE)
    const rule = { regex: false, allow: false, path: '/folder/secret.txt', regexp: null }
    await server.context.services.rules.add(OPERATOR, rule)
    const bob = await server.user('bob', MAY)
    const { jobs } = server.context.services
    const stateOf = async (id: string) => (await jobs.find(OPERATOR, id)).state
    const begin = async (verb: 'GET' | 'PATCH' | 'DELETE', url: string) => {
      const sent = (await bob.ask(verb, url, ASYNC)).json<Job | { job: Job }>()
      return ('job' in sent ? sent.job : sent).id
    }
    const running: string[] = []
    do running.push(await begin('GET', '/api/resources/huge?checksum=sha256'))
    while ((await stateOf(running.at(-1) ?? '')) === 'running')
    const waiting = await begin(method, `/api/resources/folder${query}`)
    expect(await stateOf(waiting)).toBe('waiting')
    await writeFile(join(server.root, 'folder/secret.txt'), 'secret')
    for (const id of running) await jobs.cancel(OPERATOR, id)
    await expect.poll(async () => await stateOf(waiting)).toBe('failed')
    expect((await jobs.find(OPERATOR, waiting)).error?.code).toBe('FORBIDDEN')
    expect(await readFile(join(server.root, 'folder/secret.txt'), 'utf8')).toBe('secret')
    expect((await readdir(server.root)).filter((name) => !name.startsWith('.'))).toEqual(['folder', 'huge'])
  },
)
