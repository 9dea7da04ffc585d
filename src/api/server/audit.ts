import { AuditPage, AuditQuery } from '../../domain/audit.ts'
import { operation } from '../operation.ts'

export const listAudit = operation({
  id: 'audit.list',
  method: 'GET',
  path: '/api/audit',
  access: 'admin',
  tokens: true,
  summary: 'The activity log: who did what to which path or account, newest first',
  query: AuditQuery,
  replies: { 200: AuditPage, 400: null, 403: null },
})
