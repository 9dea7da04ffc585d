import { Type } from 'typebox'
import { BrandingFile } from '../../domain/settings/branding.ts'
import { operation } from '../operation.ts'

export const listBranding = operation({
  id: 'branding.list',
  method: 'GET',
  path: '/api/branding',
  access: 'admin',
  tokens: true,
  summary: 'Custom styles and images, served below /static/',
  replies: { 200: Type.Array(BrandingFile), 403: null },
})

export const uploadBranding = operation({
  id: 'branding.upload',
  method: 'POST',
  path: '/api/branding',
  access: 'admin',
  tokens: true,
  summary: 'Add or replace custom.css and images; multipart/form-data with one part per file',
  bodyKind: 'files',
  replies: { 200: Type.Array(BrandingFile), 400: null, 403: null, 409: null, 413: null, 415: null },
})

export const removeBranding = operation({
  id: 'branding.remove',
  method: 'DELETE',
  path: '/api/branding/:name',
  access: 'admin',
  tokens: true,
  summary: 'Remove custom.css or an image',
  params: Type.Object({ name: Type.String({ maxLength: 255 }) }),
  replies: { 204: null, 400: null, 403: null, 404: null, 409: null },
})
