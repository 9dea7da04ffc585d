import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { checkServedFolder } from '../../../src/context/served-folder.ts'

interface Answer {
  readonly status: number
  readonly xml: string
}

const LISTING = { status: 200, xml: '<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>' }
const refusal = (status: number, code: string): Answer => ({ status, xml: `<Error><Code>${code}</Code></Error>` })
const versions = (state: string): Answer => ({
  status: 200,
  xml: `<VersioningConfiguration><Status>${state}</Status></VersioningConfiguration>`,
})

/** What the server replies to a listing, and to the question about versions. */
let answers: { readonly listing: Answer; readonly versioning: Answer }

const server = createServer(({ url = '' }, response) => {
  const { status, xml } = url.includes('versioning') ? answers.versioning : answers.listing
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  answers = { listing: LISTING, versioning: versions('Suspended') }
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test-key')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it.each([
  [403, 'AccessDenied', 'may not list the bucket files: permit s3:ListBucket'],
  [403, 'RequestTimeTooSkewed', 'the clocks of this machine and of the S3 server differ'],
  [403, 'InvalidAccessKeyId', 'does not know the access key: check AWS_ACCESS_KEY_ID'],
  [403, 'SignatureDoesNotMatch', 'does not accept the secret key: check AWS_ACCESS_KEY_ID'],
  [404, 'NoSuchBucket', 'the bucket files does not exist: create it'],
  [301, 'PermanentRedirect', 'set AWS_REGION'],
])('a bucket that answers %i %s is refused in one line that says why', async (status, code, text) => {
  answers = { listing: refusal(status, code), versioning: versions('Enabled') }
  const error: unknown = await checkServedFolder('s3://files/').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining(text) as string })
  expect((error as Error).message).not.toMatch(/\n|test-secret/)
})

it('a bucket that keeps versions is served, with advice for the operator', async () => {
  answers = { listing: LISTING, versioning: versions('Enabled') }
  expect(await checkServedFolder('s3://files/')).toMatchObject({
    writable: true,
    advice: expect.stringContaining('s3://files/ keeps old versions') as string,
  })
  answers = { listing: LISTING, versioning: refusal(403, 'AccessDenied') }
  expect(await checkServedFolder('s3://files/')).toEqual({ writable: true })
})
