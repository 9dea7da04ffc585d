import type { FastifyInstance } from 'fastify'
import { FilemgrError } from '../../domain/errors.ts'

/**
 * Refuses the calls of `app` whose body is not there after so many milliseconds in all: a byte now and then keeps the connection
 * from being idle, and would hold it for days.
 */
export function refuseSlowBodies(app: FastifyInstance, most: number): void {
  app.addHook('preParsing', async ({ raw }, reply, payload) => {
    if (raw.complete) return payload
    const overdue = setTimeout(() => {
      if (raw.complete) return
      if (reply.raw.headersSent) return void raw.destroy()
      void reply.header('connection', 'close')
      raw.emit('error', new FilemgrError('REQUEST_TIMEOUT', 'the request took too long to arrive; send it again'))
    }, most).unref()
    const arrived = () => clearTimeout(overdue)
    // Without a listener an error would end the process, and the framework listens only while it reads.
    raw.once('end', arrived).once('close', arrived).on('error', arrived)
    return payload
  })
}
