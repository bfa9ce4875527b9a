import { defineRealm } from "kinora/plugin";

/** Users that security.ini lists: `staticRealm.users = alice:wonder, bob:builder`. */
export default defineRealm({
  names: ["StaticUserRealm", "com.example.StaticUserRealm"],
  properties: {
    users: { type: "map", required: true, secret: true, description: "Passwords by user name" },
  },
  create: ({ users }, { constantTimeEqual }) => ({
    accepts: "password",
    reuseSeconds: 60,
    authenticate(credentials) {
      if (credentials.kind !== "password") return "not mine";
      const { userName, password } = credentials;
      if (!users.has(userName)) return "not mine";
      return constantTimeEqual(users.get(userName), password) ? { userName } : "rejected";
    },
  }),
});
