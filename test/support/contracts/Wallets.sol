// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A wallet whose owner signs for it (ERC-1271).
contract OwnedWallet is IERC1271 {
    error NotOwner();

    address public immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    receive() external payable {}

    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        (address signer, , ) = ECDSA.tryRecover(hash, signature);
        return signer == OWNER ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// Anything else it does: approve Permit2, for example.
    function execute(address target, bytes calldata data) external {
        require(msg.sender == OWNER, NotOwner());
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory answer) = target.call(data);
        if (success) return;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}

/// Pays coin out of a contract: no log and no transaction to the recipient shows it.
contract Payer {
    receive() external payable {}

    function pay(address payable to, uint256 value) external payable {
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, ) = to.call{value: value}("");
        require(success);
    }
}
