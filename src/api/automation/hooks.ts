import { Type } from 'typebox'
import { Hook, HookChange, HookList, HookTrial, NewHook } from '../../domain/automation/hook.ts'
import { operation } from '../operation.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const listHooks = operation({
  id: 'hooks.list',
  method: 'GET',
  path: '/api/hooks',
  access: 'admin',
  tokens: true,
  summary: 'Programs that run before or after file operations',
  replies: { 200: HookList, 403: null },
})

export const addHook = operation({
  id: 'hooks.add',
  method: 'POST',
  path: '/api/hooks',
  access: 'admin',
  tokens: true,
  summary: 'Add a hook; a command line that needs a shell is refused',
  body: NewHook,
  replies: { 200: Hook, 400: null, 403: null, 409: null },
})

export const changeHook = operation({
  id: 'hooks.change',
  method: 'PATCH',
  path: '/api/hooks/:id',
  access: 'admin',
  tokens: true,
  summary: 'Enable or disable a hook, or change its program, limits or position; omitted fields stay as they are',
  params,
  body: HookChange,
  replies: { 200: Hook, 400: null, 403: null, 404: null },
})

export const removeHook = operation({
  id: 'hooks.remove',
  method: 'DELETE',
  path: '/api/hooks/:id',
  access: 'admin',
  tokens: true,
  summary: 'Remove a hook',
  params,
  replies: { 204: null, 403: null, 404: null },
})

export const testHook = operation({
  id: 'hooks.test',
  method: 'POST',
  path: '/api/hooks/:id/test',
  access: 'admin',
  tokens: true,
  summary: 'Run a hook once with sample values and return its output',
  params,
  replies: { 200: HookTrial, 400: null, 403: null, 404: null },
})
