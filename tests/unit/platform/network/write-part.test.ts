import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { writePart } from '../../../../src/platform/network/write-part.ts'

it('takes an unusual connection error for a receiver that went away', async () => {
  const stream = new Writable({
    write: (_part, _encoding, done) => done(Object.assign(new Error('write ECANCELED'), { code: 'ECANCELED' })),
  })
  stream.on('error', () => undefined)
  await expect(writePart(stream, Buffer.from('a'))).rejects.toMatchObject({ code: 'CANCELLED' })
})
