import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { exportAudit } from '../../../api/server/audit.ts'
import type { AuditEntry } from '../../../domain/server/audit.ts'
import { AUDIT_CSV_HEAD, AUDIT_FORMATS, type AuditFormat, auditLine } from '../../../domain/server/audit-text.ts'
import { disposition } from '../../send/disposition.ts'
import { sendStream } from '../../send/send.ts'

export function auditRoutes(app: FastifyInstance, { services, clock }: Context): void {
  mount(app, exportAudit, async ({ actor, query: { format = 'csv', ...query }, reply }) => {
    const entries = services.audit.all(actor, query)
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    void reply.headers({
      'content-type': AUDIT_FORMATS[format],
      'content-disposition': disposition('attachment', `filemgr-activity-${day}.${format}`),
    })
    return await sendStream(reply, Readable.from(linesOf(entries, format), { objectMode: false }))
  })
}

/** Characters that are gathered, so that not each line is written on its own. */
const PART = 64 * 1024

async function* linesOf(entries: AsyncIterable<AuditEntry>, format: AuditFormat): AsyncGenerator<string> {
  let part = format === 'csv' ? AUDIT_CSV_HEAD : ''
  for await (const entry of entries) {
    part += auditLine(entry, format)
    if (part.length < PART) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}
