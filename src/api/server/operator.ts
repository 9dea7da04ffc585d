import { Type } from 'typebox'
import { MaintenanceStatus } from '../../domain/server/maintenance.ts'
import { operatorOperation } from '../operation.ts'
import { beginMaintenance } from './maintenance.ts'
import { getServer, updateServer } from './server-options.ts'

export const beginMaintenanceAsOperator = operatorOperation({
  id: beginMaintenance.id,
  access: 'operator',
  summary: 'Begin maintenance, or change its message; says whether the server lets people in without sign-in',
  body: beginMaintenance.body,
  replies: { 200: Type.Object({ status: MaintenanceStatus, withoutSignIn: Type.Boolean() }), 400: null },
})

export const updateServerAsOperator = operatorOperation({
  id: updateServer.id,
  access: 'operator',
  summary: 'Save the server options that are given, or reset saved ones; they take effect at the next start',
  body: Type.Object({
    values: Type.Optional(Type.Object({})),
    reset: Type.Optional(Type.Array(Type.String(), { description: 'Names of options that get their defaults' })),
  }),
  replies: { 200: getServer.replies[200], 400: null },
})
