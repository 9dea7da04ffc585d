import { Type } from 'typebox'
import { ACTION_NAMES, Explanation, Supposed } from '../../domain/access/explanation.ts'
import { MAX_RULES, PermissionRule, PreviewOfRules, Rule } from '../../domain/access/rule.ts'
import { operation } from '../operation.ts'

const Asked = {
  user: Type.String({ description: 'User name, or "id:7"' }),
  action: Type.Enum(ACTION_NAMES),
  path: Type.String({ description: 'Path as that user sees it' }),
}

export const why = operation({
  id: 'rules.why',
  method: 'GET',
  path: '/api/why',
  access: 'admin',
  summary: 'What a user may do with a path, and which permission or rule decides it',
  query: Type.Object(Asked),
  replies: { 200: Explanation, 400: null, 403: null, 404: null },
})

export const whyIf = operation({
  id: 'rules.whyIf',
  method: 'POST',
  path: '/api/why',
  access: 'admin',
  summary: 'The same after a change of the account or of the global rules that is not saved',
  body: Type.Object({ ...Asked, supposed: Supposed }),
  replies: { 200: Explanation, 400: null, 403: null, 404: null },
})

export const previewRules = operation({
  id: 'rules.preview',
  method: 'POST',
  path: '/api/rules/preview',
  access: 'admin',
  tokens: true,
  summary: 'What these rules would hide, and decide about, if they were the only ones; nothing is saved',
  body: Type.Object({
    rules: Type.Array(Rule, { maxItems: MAX_RULES }),
    permissionRules: Type.Optional(Type.Array(PermissionRule, { maxItems: MAX_RULES })),
    user: Type.Optional(Type.String({ description: 'User whose files are tested: user name, or "id:7"' })),
    root: Type.Optional(Type.String({ description: 'Root that is tested instead: name, or "id:f3JkQ0aZ"' })),
    folder: Type.Optional(Type.String({ maxLength: 4096, description: 'Folder of that root' })),
  }),
  replies: { 200: PreviewOfRules, 400: null, 403: null, 404: null },
})
