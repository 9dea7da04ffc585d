import { Type, type Static } from 'typebox'
import { PROVIDER_TYPES } from '../accounts/provider.ts'

/** The configuration of the page, embedded as JSON in `#filemgr-config`. */
export const ClientConfig = Type.Object({
  AuthMethod: Type.String(),
  BaseURL: Type.String(),
  /** Large files are sent to the bucket itself; the page may reach these origins. */
  BucketOrigins: Type.Optional(Type.Array(Type.String())),
  CSS: Type.Boolean(),
  Color: Type.String(),
  /** The request for the page had a valid session cookie, which scripts cannot see. */
  CookieSession: Type.Optional(Type.Literal(true)),
  DisableExternal: Type.Boolean(),
  DisableUsedPercentage: Type.Boolean(),
  EnableExec: Type.Boolean(),
  EnableThumbs: Type.Boolean(),
  HideLoginButton: Type.Boolean(),
  /** The password form is folded. */
  HidePassword: Type.Optional(Type.Literal(true)),
  LoginPage: Type.Boolean(),
  /** The branding folder has a logo. */
  Logo: Type.Optional(Type.Literal(true)),
  LogoutPage: Type.String(),
  /** Maintenance mode is on: what to show to users and visitors. */
  Maintenance: Type.Optional(Type.Object({ message: Type.String(), until: Type.Optional(Type.String()) })),
  Name: Type.String(),
  NoAuth: Type.Boolean(),
  /** Some account has a passkey, so that the sign-in page offers to use one. */
  Passkeys: Type.Optional(Type.Literal(true)),
  /** The server can create thumbnails of PDF documents; the page requests them only then. */
  PdfThumbs: Type.Optional(Type.Literal(true)),
  /** Ways to sign in besides the form: id, name and type. */
  Providers: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: Type.Enum(PROVIDER_TYPES) })),
  ),
  /** The base URL of links, if it is not the address of the page. */
  PublicURL: Type.Optional(Type.String()),
  ReCaptcha: Type.Boolean(),
  /** Origin of the captcha service, if one is set up. */
  ReCaptchaHost: Type.Optional(Type.String()),
  ReCaptchaKey: Type.Optional(Type.String()),
  ResizePreview: Type.Boolean(),
  Signup: Type.Boolean(),
  StaticURL: Type.String(),
  Theme: Type.String(),
  TusSettings: Type.Object({ chunkSize: Type.Integer(), retryCount: Type.Integer() }),
  Version: Type.String(),
  /** The server can create thumbnails of videos; the page requests them only then. */
  VideoThumbs: Type.Optional(Type.Literal(true)),
})
export type ClientConfig = Static<typeof ClientConfig>
