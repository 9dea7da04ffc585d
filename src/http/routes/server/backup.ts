import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { createBackup, restoreBackup } from '../../../api/server/backup.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { disposition } from '../../send/disposition.ts'
import { currentPasswordOf } from '../../protocol/caller.ts'
import { sendStream } from '../../send/send.ts'

export function backupRoutes(app: FastifyInstance, { services: { backups }, clock }: Context): void {
  mount(app, createBackup, async ({ actor, request, reply }) => {
    const backup = await backups.create(actor, currentPasswordOf(request.headers))
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    void reply.headers({
      'content-type': 'application/x-tar',
      'content-disposition': disposition('attachment', `filemgr-${day}.tar`),
    })
    return await sendStream(reply, Readable.from(backup, { objectMode: false }))
  })
}

/** The body is the tar file of a backup. */
export function restoreRoutes(app: FastifyInstance, { services: { backups } }: Context): void {
  mount(app, restoreBackup, async ({ actor, query, request }) => {
    const options = { currentPassword: currentPasswordOf(request.headers), dryRun: query.dryRun === 'true' }
    return await backups.restore(actor, request.raw, options)
  })
}
