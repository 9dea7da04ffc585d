import { Type } from 'typebox'
import { fileRecords } from '../../../src/store/records/records.ts'

const Sample = Type.Object({ id: Type.String({ pattern: '^\\w+$' }), value: Type.Integer() })
export interface Sample {
  readonly id: string
  readonly value: number
}

type Options = Omit<Parameters<typeof fileRecords<Sample>>[0], 'folder' | 'schema' | 'idOf'>

export const openRecords = (folder: string, options: Options = {}) =>
  fileRecords<Sample>({ folder, schema: Sample, idOf: ({ id }) => id, ...options })
