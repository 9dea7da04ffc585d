import { Type } from 'typebox'
import { MaintenanceStatus } from '../../domain/server/maintenance.ts'
import { operatorOperation } from '../operation.ts'
import { beginMaintenance } from './maintenance.ts'

export const beginMaintenanceAsOperator = operatorOperation({
  id: beginMaintenance.id,
  access: 'operator',
  summary: 'Begin maintenance, or change its message; says whether the server lets people in without sign-in',
  body: beginMaintenance.body,
  replies: { 200: Type.Object({ status: MaintenanceStatus, withoutSignIn: Type.Boolean() }), 400: null },
})
