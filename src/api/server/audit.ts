import { AuditExportQuery, AuditPage, AuditQuery } from '../../domain/server/audit.ts'
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

export const exportAudit = operation({
  id: 'audit.export',
  method: 'GET',
  path: '/api/audit/export',
  access: 'admin',
  tokens: true,
  summary: 'All matching entries of the activity log as a file, newest first',
  query: AuditExportQuery,
  replies: { 200: null, 400: null, 403: null },
})
