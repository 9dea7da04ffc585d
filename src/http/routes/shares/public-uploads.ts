import type { FastifyInstance } from 'fastify'
import { continueSending, getReceipt, sendToLink, withdrawFromLink } from '../../../api/shares/public.ts'
import type { Operation } from '../../../api/operation.ts'
import type { Context } from '../../../context.ts'
import { parseVirtualPath } from '../../../domain/files/virtual-path.ts'
import { mount } from '../../mount.ts'
import { splitShared, visitOf } from '../../protocol/caller.ts'
import { sentTarget } from '../../protocol/request-path.ts'
import { createTus, type TusCall } from '../../protocol/tus.ts'

const TAKES_INPUT = { noRedirect: true, takesInput: true } as const

/**
 * Files that visitors send by a link. The address of a file is unguessable: anyone who has it may continue the upload, see
 * the receipt, and remove the file for a while.
 */
export function publicUploadRoutes(app: FastifyInstance, context: Context): void {
  const { arrivals } = context.services
  const tus = createTus(context)

  mount(
    app,
    sendToLink,
    async (call) => {
      const { path, query } = sentTarget(call.request)
      const { pathname } = new URL(path, 'http://localhost')
      // The hash alone names the folder: the name of the file is in the metadata.
      const isFolder = tusCall(call).text === '/'
      const folder = isFolder ? pathname.replace(/\/$/, '') : pathname.replace(/\/[^/]*$/, '')
      // The query contains the token that replaces the password of the link.
      return await tus.begin(tusCall(call), false, (id) => `${folder}/${id}${query}`)
    },
    TAKES_INPUT,
  )

  mount(
    app,
    getReceipt,
    async (call) => {
      const { uploader, text } = tusCall(call)
      return await arrivals.receipt(uploader, idIn(text), call.signal)
    },
    TAKES_INPUT,
  )
  const operation: Operation = getReceipt
  app.route({
    url: getReceipt.path,
    method: 'HEAD',
    config: { operation, access: 'share', ...TAKES_INPUT },
    handler: async (request, reply) => await tus.describe(tusCall({ request, reply })),
  })

  mount(app, continueSending, async (call) => await tus.append(tusCall(call)), TAKES_INPUT)

  mount(
    app,
    withdrawFromLink,
    async (call) => {
      const { uploader, text } = tusCall(call)
      const id = idIn(text)
      if (arrivals.find(uploader.hash, id)?.file === undefined) return await tus.discard(tusCall(call))
      await arrivals.withdraw(uploader, id)
      call.request.effect = 'deleted'
      return undefined
    },
    TAKES_INPUT,
  )
}

/** @throws INVALID_INPUT if the text cannot be a name */
function idIn(text: string): string {
  return parseVirtualPath(text).slice(1)
}

function tusCall({ request, reply }: Pick<TusCall, 'request' | 'reply'>) {
  const { visitor } = visitOf(request)
  const text = splitShared((request.params as Record<string, string>)['*'] ?? '').path
  return { uploader: visitor, text, request, reply } satisfies TusCall
}
