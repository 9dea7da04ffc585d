import { Type } from 'typebox'
import { QuotaView } from '../../domain/access/quota.ts'
import { IdParams, operation } from '../operation.ts'

export const listQuotas = operation({
  id: 'quotas.list',
  method: 'GET',
  path: '/api/quotas',
  access: 'admin',
  tokens: true,
  summary: 'All users with a quota, by name, and how much of it they use as far as that is known',
  replies: { 200: Type.Array(QuotaView), 403: null },
})

export const recountQuota = operation({
  id: 'quotas.recount',
  method: 'POST',
  path: '/api/quotas/:id/recount',
  access: 'admin',
  tokens: true,
  summary: 'Count the files of a user with a quota again, after changes by other programs',
  params: IdParams,
  replies: { 200: QuotaView, 403: null, 404: null, 409: null },
})
