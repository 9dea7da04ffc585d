/** exifr without rare formats and tags; the package declares no types for this build. */
declare module 'exifr/dist/lite.esm.mjs' {
  export { default } from 'exifr'
}
