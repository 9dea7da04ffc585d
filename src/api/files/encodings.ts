import { Type } from 'typebox'
import { ENCODINGS } from '../../domain/text/encodings.ts'
import { ENCODING_SAMPLE } from '../../domain/text/proven-encoding.ts'
import { operation } from '../operation.ts'

/** For visitors too. It reveals nothing, since the bytes come with the request. */
export const detectEncodings = operation({
  id: 'encodings.detect',
  method: 'POST',
  path: '/api/encodings',
  access: 'public',
  summary: 'The encodings that a text is likely in, the likeliest first; the last one accepts all bytes',
  body: Type.Object({
    sample: Type.String({
      maxLength: Math.ceil(ENCODING_SAMPLE / 3) * 4,
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      description: 'Up to 16 KiB of the text in base64, best of lines with bytes above 0x7f',
    }),
  }),
  replies: { 200: Type.Object({ encodings: Type.Array(Type.Enum([...ENCODINGS])) }), 400: null, 503: null },
})
