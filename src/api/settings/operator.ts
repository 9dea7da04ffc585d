import { Type } from 'typebox'
import { BrandingFile } from '../../domain/settings/branding.ts'
import { Settings } from '../../domain/settings/settings.ts'
import { operatorOperation } from '../operation.ts'
import { removeBranding, uploadBranding } from './branding.ts'
import { getAllSettings, updateSettings } from './settings.ts'

export const getSettingsAsOperator = operatorOperation({
  id: getAllSettings.id,
  access: 'operator',
  reads: true,
  summary: 'All settings, with those for sign-in and their secrets',
  replies: { 200: Settings },
})

export const updateSettingsAsOperator = operatorOperation({
  id: updateSettings.id,
  access: 'operator',
  summary: 'Change the settings that are given, all or none; a dry run only checks them',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean()) }),
  body: Type.Object({}, { description: 'The settings that change, by their names' }),
  replies: {
    200: Type.Object({
      settings: Settings,
      warning: Type.Optional(Type.String({ description: 'Who can do what, if nobody has to sign in any more' })),
    }),
    400: null,
  },
})

export const uploadBrandingAsOperator = operatorOperation({
  id: uploadBranding.id,
  access: 'operator',
  summary: 'Add or replace custom.css or an image',
  params: removeBranding.params,
  bodyKind: 'bytes',
  replies: { 200: Type.Array(BrandingFile), 400: null, 409: null, 413: null },
})
