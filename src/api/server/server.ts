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

const Status = Type.Object({ status: Type.Literal('OK') })

export const live = operation({
  id: 'server.live',
  method: 'GET',
  path: '/health/live',
  access: 'public',
  summary: 'Whether the daemon answers; does not read the disk, so a failure calls for a restart',
  replies: { 200: Status },
})

export const ready = operation({
  id: 'server.ready',
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  summary: 'Whether the daemon can serve its folder; a restart does not help when it cannot',
  replies: { 200: Status, 503: null },
})

export const openapi = operation({
  id: 'server.openapi',
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'This document',
  replies: { 200: null },
})
