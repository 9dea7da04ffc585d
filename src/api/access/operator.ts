import { Type } from 'typebox'
import { QuotaView } from '../../domain/access/quota.ts'
import { AnyRule } from '../../domain/access/rule.ts'
import { GroupName, OfUser, operatorOperation } from '../operation.ts'
import { listQuotas, recountQuota } from './quotas.ts'

const Rules = Type.Array(AnyRule)
/** Whose rules: without either, those for all users. With a root, those of a place that they have in it. */
const RuleOwner = Type.Object({
  ...OfUser.properties,
  group: Type.Optional(GroupName),
  root: Type.Optional(Type.String({ description: 'Name of a root, or "id:f3JkQ0aZ"' })),
  folder: Type.Optional(Type.String({ maxLength: 4096, description: 'If there are several places in the root' })),
})
const Position = Type.Integer({ minimum: 0, description: 'In the list, from 0; later rules win' })

export const listRules = operatorOperation({
  id: 'rules.list',
  access: 'operator',
  reads: true,
  summary: 'The global rules, or those of a user or a group',
  query: RuleOwner,
  replies: { 200: Rules, 404: null },
})

export const addRule = operatorOperation({
  id: 'rules.add',
  access: 'operator',
  summary: 'Add a rule at a position, by default the end; the reply is the new list',
  query: RuleOwner,
  body: Type.Object({ rule: AnyRule, at: Type.Optional(Position) }),
  replies: { 200: Rules, 400: null, 404: null },
})

export const removeRules = operatorOperation({
  id: 'rules.remove',
  access: 'operator',
  summary: 'Remove a range of rules, including both ends; the reply is the new list',
  query: RuleOwner,
  body: Type.Object({ first: Position, last: Position }),
  replies: { 200: Rules, 400: null, 404: null },
})

export const moveRule = operatorOperation({
  id: 'rules.move',
  access: 'operator',
  summary: 'Move a rule to another position; the reply is the new list',
  query: RuleOwner,
  body: Type.Object({ from: Position, to: Position }),
  replies: { 200: Rules, 404: null },
})

export const listQuotasAsOperator = operatorOperation({
  id: listQuotas.id,
  access: 'operator',
  reads: true,
  summary: 'All users with a quota, by name; counts what is not known yet',
  replies: { 200: Type.Array(QuotaView) },
})

export const recountQuotas = operatorOperation({
  id: recountQuota.id,
  access: 'operator',
  summary: 'Count the files of a user with a quota again, or of all',
  query: OfUser,
  replies: { 200: Type.Array(QuotaView), 404: null },
})
