import { createContext, useContext } from 'react'
import type { Uploads } from './uploads.ts'

/** The uploads of the signed-in user. Undefined outside the provider. */
export const UploadsContext = createContext<Uploads | undefined>(undefined)

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext)
  if (uploads === undefined) throw new Error('UploadsContext is missing above this component')
  return uploads
}
