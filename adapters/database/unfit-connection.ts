/** The connections of DATABASE_URL cannot be used as they are. For the person who set them up. */
export class UnfitConnection extends Error {
  override readonly name = "UnfitConnection";
}
