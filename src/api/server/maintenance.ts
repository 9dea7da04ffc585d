import { MaintenanceInput, MaintenanceStatus } from '../../domain/server/maintenance.ts'
import { operation } from '../operation.ts'

export const getMaintenance = operation({
  id: 'maintenance.get',
  method: 'GET',
  path: '/api/maintenance',
  access: 'admin',
  summary: 'Whether maintenance mode is on, and what still runs',
  replies: { 200: MaintenanceStatus, 403: null },
})

export const beginMaintenance = operation({
  id: 'maintenance.begin',
  method: 'PUT',
  path: '/api/maintenance',
  access: 'admin',
  summary: 'Begin maintenance, or change its message: only administrators are let in, all others get 503',
  body: MaintenanceInput,
  replies: { 200: MaintenanceStatus, 400: null, 403: null },
})

export const endMaintenance = operation({
  id: 'maintenance.end',
  method: 'DELETE',
  path: '/api/maintenance',
  access: 'admin',
  summary: 'End maintenance',
  replies: { 200: MaintenanceStatus, 403: null },
})
