import { Type } from 'typebox'
import { Job } from '../../domain/automation/job.ts'
import { operation } from '../operation.ts'

const JobParams = Type.Object({ id: Type.String({ minLength: 16, maxLength: 16 }) })

export const listJobs = operation({
  id: 'jobs.list',
  method: 'GET',
  path: '/api/jobs',
  access: 'user',
  tokens: true,
  summary: 'Your running and recent jobs; those of all users with all=true, for administrators',
  query: Type.Object({ all: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Array(Job), 400: null, 403: null },
})

export const getJob = operation({
  id: 'jobs.get',
  method: 'GET',
  path: '/api/jobs/:id',
  access: 'user',
  tokens: true,
  summary: 'One job with its progress',
  params: JobParams,
  replies: { 200: Job, 404: null },
})

export const cancelJob = operation({
  id: 'jobs.cancel',
  method: 'DELETE',
  path: '/api/jobs/:id',
  access: 'user',
  tokens: true,
  summary: 'Cancel a job; partial results are removed',
  params: JobParams,
  replies: { 204: null, 404: null },
})
