import { Type } from 'typebox'
import { operation } from '../operation.ts'

export const health = operation({
  id: 'server.health',
  method: 'GET',
  path: '/health',
  anyMethod: true,
  access: 'public',
  summary: 'Whether the daemon answers and its folder is readable',
  replies: { 200: Type.Object({ status: Type.Literal('OK') }), 503: null },
})

export const openapi = operation({
  id: 'server.openapi',
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'This document',
  replies: { 200: null },
})
