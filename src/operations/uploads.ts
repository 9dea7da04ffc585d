import { discardUploadAsOperator, listUploads } from '../api/uploads/operator.ts'
import { handler } from './handler.ts'

export const uploadHandlers = [
  handler(listUploads, async ({ actor }, { services: { unfinishedUploads } }) => await unfinishedUploads.list(actor)),

  handler(discardUploadAsOperator, async ({ actor, params }, { services: { unfinishedUploads } }) => {
    await unfinishedUploads.remove(actor, params.id)
  }),
]
