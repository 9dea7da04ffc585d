import { Type } from 'typebox'
import { ENCODINGS } from './encodings.ts'

/** The name of an encoding, in requests and replies. */
export const EncodingName = Type.Enum([...ENCODINGS])
