import { Usage } from '../../domain/files/resource.ts'
import { operation, PathParams } from '../operation.ts'

export const getUsage = operation({
  id: 'usage.get',
  method: 'GET',
  path: '/api/usage/*',
  access: 'user',
  tokens: true,
  summary: 'Used and total bytes of the disk that holds a folder',
  params: PathParams,
  replies: { 200: Usage, 403: null, 404: null },
})
