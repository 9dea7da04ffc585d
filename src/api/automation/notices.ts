import { Type } from 'typebox'
import { Notice } from '../../domain/automation/notice.ts'
import { operation } from '../operation.ts'

export const listNotices = operation({
  id: 'notices.list',
  method: 'GET',
  path: '/api/notices',
  access: 'user',
  tokens: true,
  summary:
    'What you may have missed: files of visitors, jobs that ended, links and a quota near their limits, roots that are away; new first',
  replies: { 200: Type.Array(Notice) },
})

export const seeNotices = operation({
  id: 'notices.see',
  method: 'PUT',
  path: '/api/notices/seen',
  access: 'user',
  summary: 'Mark notices as read, on all your devices',
  body: Type.Object({
    until: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Milliseconds since 1970: the time of the latest one that you were shown',
    }),
  }),
  replies: { 204: null, 400: null },
})
